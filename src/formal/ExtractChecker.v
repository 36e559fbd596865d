(** The checker as OCaml: words are native integers of 63 bits ([Uint63.ml]). *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOCamlInt63.
From Pods Require Import Claim Check Plans Seen Sets Board.
Extraction Language OCaml.
Extraction Blacklist List String Int Uint63.
Extraction "checker.ml" check goes safe_set keeps union empties.
