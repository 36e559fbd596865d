(* Words of 63 bits, as Coq's Uint63 has them, on OCaml's native integers: shifts by 63 and more give 0, order is unsigned. *)
type t = int
let of_int (i : int) : t = i
let l_and (a : t) (b : t) : t = a land b
let l_or (a : t) (b : t) : t = a lor b
let l_xor (a : t) (b : t) : t = a lxor b
let l_sl (a : t) (n : t) : t = if n >= 0 && n < 63 then a lsl n else 0
let l_sr (a : t) (n : t) : t = if n >= 0 && n < 63 then a lsr n else 0
let add (a : t) (b : t) : t = a + b
let sub (a : t) (b : t) : t = a - b
let equal (a : t) (b : t) : bool = a = b
let lt (a : t) (b : t) : bool = a lxor min_int < b lxor min_int
let le (a : t) (b : t) : bool = a lxor min_int <= b lxor min_int
