(* Games and positions as texts, for [engine.ml] and [tables.ml]. Nothing here knows a rule. *)
open Rules
module Json = Yojson.Safe

exception Problem of string

let problem format = Printf.ksprintf (fun text -> raise (Problem text)) format

(* Numbers *)

let rec nat n = if n = 0 then O else S (nat (n - 1))
let rec of_nat = function O -> 0 | S n -> 1 + of_nat n
let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))
let rec of_positive = function XH -> 1 | XO p -> 2 * of_positive p | XI p -> (2 * of_positive p) + 1
let z n = if n = 0 then Z0 else if n > 0 then Zpos (positive n) else Zneg (positive (-n))
let of_z = function Z0 -> 0 | Zpos p -> of_positive p | Zneg p -> -of_positive p
let of_n = function N0 -> 0 | Npos p -> of_positive p

(* Games *)

type setup = {
  game : game;
  columns : int;
  rows : int;
  ids : char array; (* in alphabetical order; a kind is its place *)
  owned : side -> int -> int;
}

let place x y = (z x, z y)
let name (x, y) = Printf.sprintf "%c%d" (Char.chr (97 + of_z x)) (of_z y + 1)

let point text =
  match Scanf.sscanf text "%c%d%!" (fun column row -> (Char.code column - 97, row - 1)) with
  | x, y when name (place x y) = text && x >= 0 && x < 26 && y >= 0 -> place x y
  | _ | (exception _) -> problem "%S is no point" text

let directions = [ ("n", North); ("ne", NorthEast); ("e", East); ("se", SouthEast);
                   ("s", South); ("sw", SouthWest); ("w", West); ("nw", NorthWest) ]

let leg word =
  match List.assoc_opt (String.lowercase_ascii word) directions with
  | Some d when word = String.lowercase_ascii word -> { towards = d; size = Short }
  | Some d when word = String.uppercase_ascii word -> { towards = d; size = Long }
  | _ -> problem "%S is no leg (R3)" word

let field request key =
  match request with
  | `Assoc fields -> (match List.assoc_opt key fields with Some v -> v | None -> problem "the request lacks the field %s" key)
  | _ -> problem "a request is a JSON object"

let text request key = match field request key with `String s -> s | _ -> problem "%s: expected a text" key
let items request key = match field request key with `List l -> l | _ -> problem "%s: expected a list" key
let whole request key = match field request key with `Int n when n >= 0 -> n | _ -> problem "%s: expected a whole number" key
let as_text = function `String s -> s | _ -> problem "expected a text"

let kind_of ids c =
  let rec find k = if k = Array.length ids then problem "there is no pod %C" c else if ids.(k) = c then k else find (k + 1) in
  find 0

let read_hand ids hand =
  let size = String.length hand in
  let digit i = i < size && hand.[i] >= '0' && hand.[i] <= '9' in
  let rec from i =
    if i >= size then []
    else
      let rec stop j = if digit j then stop (j + 1) else j in
      let j = stop (i + 1) in
      let count = if j = i + 1 then 1 else int_of_string (String.sub hand (i + 1) (j - i - 1)) in
      List.init count (fun _ -> nat (kind_of ids hand.[i])) @ from j
  in
  if hand = "-" then [] else from 0

let count k hand = List.length (List.filter (fun j -> of_nat j = k) hand)

let show_hand ids hand =
  let one k id = match count k hand with 0 -> "" | 1 -> String.make 1 id | n -> Printf.sprintf "%c%d" id n in
  if hand = [] then "-" else String.concat "" (Array.to_list (Array.mapi one ids))

let option rules key values =
  let value = text rules key in
  match List.assoc_opt value values with Some v -> v | None -> problem "rules: %s is %S" key value

let switch rules key = option rules key [ ("on", true); ("off", false) ]

let read_game request =
  let board = field request "board" and rules = field request "rules" in
  let line = function `List [ a; b ] -> (point (as_text a), point (as_text b)) | _ -> problem "a line joins two points" in
  let the_board =
    { points = List.map (fun p -> point (as_text p)) (items board "points"); lines = List.map line (items board "lines") } in
  if not (is_board the_board) then problem "the board is none (R1)";
  let pod p =
    let legs = List.filter (( <> ) "") (String.split_on_char ' ' (text p "legs")) in
    let count = match p with `Assoc f when List.mem_assoc "count" f -> whole p "count" | _ -> 1 in
    ((text p "id").[0], (List.map leg legs, count)) in
  let pods = List.sort compare (List.map pod (items request "pods")) in
  let ids = Array.of_list (List.map fst pods) and kinds = List.map (fun (_, (legs, _)) -> legs) pods in
  if not (List.for_all are_legs kinds) then problem "the legs of a pod are none (R3)";
  let the_options =
    { moves = switch rules "moves"; shoves = switch rules "shoves"; placement_liberty = switch rules "placement-liberty";
      captures = option rules "captures" [ ("every-turn", EveryTurn); ("after-moves", AfterMoves); ("never", Never) ];
      empty_hand = option rules "empty-hand" [ ("loses", Loses); ("wins", Wins) ];
      opening = option rules "opening" [ ("bipod", Bipod); ("any", Any) ];
      attack_through = switch rules "attack-through"; shove_after_run = switch rules "shove-after-run";
      kick_gaps = option rules "kick-gaps" [ ("every-step", EveryStep); ("last-step", LastStep) ];
      shove_liberty = switch rules "shove-liberty" } in
  let game = { the_board; kinds; the_options } in
  let white = read_hand ids (text request "white_hand") and black = read_hand ids (text request "black_hand") in
  if not (r32_may_be_open game (start game White white black)) && the_options.opening = Bipod then
    problem "White's hand has no bipod (R9)";
  let counts = Array.of_list (List.map (fun (_, (_, count)) -> count) pods) in
  let owned x k = max counts.(k) (count k (match x with White -> white | Black -> black)) in
  { game; columns = whole board "columns"; rows = whole board "rows"; ids; owned }

(* Positions *)

let show_position setup s =
  let row y =
    let text = Buffer.create 8 and gap = ref 0 in
    let close () = if !gap > 0 then Buffer.add_string text (string_of_int !gap); gap := 0 in
    for x = 0 to setup.columns - 1 do
      match pod_at s.on_points (place x y) with
      | None -> incr gap
      | Some pod ->
          close ();
          let id = setup.ids.(of_nat pod.its_kind) in
          Buffer.add_char text (if pod.owner = White then Char.uppercase_ascii id else id)
    done;
    close ();
    Buffer.contents text in
  Printf.sprintf "%s %s %s %s %s"
    (String.concat "/" (List.init setup.rows (fun i -> row (setup.rows - 1 - i))))
    (match s.to_move with White -> "w" | Black -> "b")
    (show_hand setup.ids s.white_hand) (show_hand setup.ids s.black_hand) (if s.is_open then "open" else "-")

let read_position setup text =
  let rows, side, white, black, flag =
    match String.split_on_char ' ' text with [ a; b; c; d; e ] -> (a, b, c, d, e) | _ -> problem "%S has not five fields" text in
  let pods = ref [] in
  let row i text =
    let x = ref 0 and number = ref 0 in
    String.iter
      (fun c ->
        if c >= '0' && c <= '9' then number := (10 * !number) + Char.code c - 48
        else begin
          x := !x + !number;
          number := 0;
          let owner = if c = Char.uppercase_ascii c then White else Black in
          let its_kind = nat (kind_of setup.ids (Char.lowercase_ascii c)) in
          pods := (place !x (setup.rows - 1 - i), { owner; its_kind }) :: !pods;
          incr x
        end)
      text in
  List.iteri row (String.split_on_char '/' rows);
  let s =
    { on_points = !pods; white_hand = read_hand setup.ids white; black_hand = read_hand setup.ids black;
      to_move = (match side with "w" -> White | "b" -> Black | _ -> problem "%S is no side" side);
      is_open = flag = "open" } in
  if show_position setup s <> text then problem "%S is written %S" text (show_position setup s);
  if not (r29_is_consistent setup.game s) then problem "a pod stands on no point (R29)";
  if not (r32_may_be_open setup.game s) then problem "the position cannot be open (R9)";
  let all x hand = hand @ List.filter_map (fun (_, pod) -> if pod.owner = x then Some pod.its_kind else None) s.on_points in
  let enough x hand = Array.for_all Fun.id (Array.mapi (fun k _ -> count k (all x hand) <= setup.owned x k) setup.ids) in
  if not (enough White s.white_hand && enough Black s.black_hand) then problem "a side has too many pods (R29)";
  s
