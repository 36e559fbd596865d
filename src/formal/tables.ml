(* The checker of tables of Table.v, extracted, goes through what `pods table export` wrote.

     check-table GAME TABLE.csv     GAME: a file with an object `game` as the conformance protocol has it, in a line of its own or
                                    as the field `game` of a line, such as `pods match --out` writes; the first one counts

   It ends with 0 where the table is accepted, with 1 where it is refused, with 2 where a file cannot be read. *)
open Rules
open Texts
module Json = Yojson.Safe

let lines file =
  let channel = open_in file in
  let rec from () = match input_line channel with line -> Seq.Cons (line, from) | exception End_of_file -> close_in channel; Seq.Nil in
  from

let game_of file =
  let game line =
    match Json.from_string line with
    | `Assoc fields as whole -> (
        match List.assoc_opt "game" fields with
        | Some (`Assoc _ as game) -> Some game
        | _ -> if List.mem_assoc "board" fields && List.mem_assoc "white_hand" fields then Some whole else None)
    | _ | (exception _) -> None in
  match (Seq.filter_map game (lines file)) () with Seq.Cons (game, _) -> game | Seq.Nil -> problem "%s: no line has a game" file

let value text plies =
  let distance () = match int_of_string_opt plies with Some n when n >= 0 -> nat n | _ -> problem "%S are no plies" plies in
  match text with
  | "win" -> Win (distance ())
  | "loss" -> Loss (distance ())
  | "draw" when plies = "" -> Draw
  | _ -> problem "%S,%S is no value" text plies

let show_value = function
  | Win n -> Printf.sprintf "win in %d" (of_nat n)
  | Loss n -> Printf.sprintf "loss in %d" (of_nat n)
  | Draw -> "draw"

let row setup number line =
  match String.split_on_char ',' line with
  | [ position; text; plies ] -> (
      try (read_position setup position, value text plies) with Problem cause -> problem "line %d: %s" (number + 2) cause)
  | _ -> problem "line %d: no three cells" (number + 2)

(* Where a position lies in the tree. Nothing depends on it but time: what is found is compared whole. *)
let key s =
  let hash x = Hashtbl.hash_param 60 200 x in
  let pods = List.fold_left (fun sum there -> sum + hash there) 0 s.on_points in
  let rest = hash (s.to_move, s.is_open, s.white_hand) + (31 * hash (s.black_hand, 5)) in
  positive ((1 lsl 20) lor (hash (pods, rest) land ((1 lsl 20) - 1)))

(* What the start is worth follows from the table too, if its actions are there: each value is tried. *)
let of_start setup tree request x =
  let s = start setup.game x (read_hand setup.ids (text request "white_hand")) (read_hand setup.ids (text request "black_hand")) in
  let tried = Draw :: List.concat_map (fun n -> [ Win (nat n); Loss (nat n) ]) (List.init 100 Fun.id) in
  match List.find_opt (follows setup.game key tree s) tried with Some v -> show_value v | None -> "not in the table"

let () =
  try
    match Sys.argv with
    | [| _; game; table |] -> (
        let request = game_of game in
        let setup = read_game request in
        let rows =
          match (lines table) () with
          | Seq.Cons ("position,value,plies", rest) -> List.mapi (row setup) (List.of_seq rest)
          | _ -> problem "%s: line 1: the header position,value,plies is missing" table in
        let tree = table_of rows key in
        if accepts setup.game key tree then
          Printf.printf "accepted: %d positions; the start is a %s, with Black to move a %s\n" (List.length rows)
            (of_start setup tree request White) (of_start setup tree request Black)
        else begin
          let wrong (s, v) = not (follows setup.game key tree s v) in
          (match List.find_opt wrong rows with
          | Some (s, v) -> Printf.printf "refused: that %s is a %s does not follow\n" (show_position setup s) (show_value v)
          | None -> print_endline "refused");
          exit 1
        end)
    | _ -> problem "usage: check-table GAME TABLE.csv"
  with
  | Problem message | Sys_error message -> prerr_endline ("check-table: " ^ message); exit 2
