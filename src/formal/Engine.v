(** The rules and the checker of tables as OCaml, for [engine.ml] and [tables.ml]. *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Pods Require Import Rules Table.
Extraction Language OCaml.
Extraction "rules.ml" Game Options is_board are_legs R29_is_consistent R32_may_be_open has_bipod
  legal_actions winner after returned removed perft start accepts table_of follows.
