(* A fourth engine: the rules of Rules.v, extracted, answer the protocol of src/oracle/PROTOCOL.md. Nothing here knows a rule. *)
open Rules
open Texts
module Json = Yojson.Safe

(* Actions and answers *)

let show_action setup = function
  | Place (k, p) -> Printf.sprintf "%c@%s" setup.ids.(of_nat k) (name p)
  | Move (p, q) -> name p ^ "-" ^ name q
  | Shove (_, p, q) -> name p ^ ">" ^ name q
  | Kick (_, p, q, n) -> Printf.sprintf "%s>%s+%d" (name p) (name q) (of_nat n)

let status setup s =
  `String (match winner setup.game s with None -> "ongoing" | Some White -> "white_won" | Some Black -> "black_won")

let texts l = `List (List.map (fun t -> `String t) (List.sort compare l))
let pods_of setup kinds = texts (List.map (fun k -> String.make 1 setup.ids.(of_nat k)) kinds)
let current = ref None
let setup () = match !current with Some setup -> setup | None -> problem "no game has been set"

let answer kind request =
  let position setup = read_position setup (text request "position") in
  match kind with
  | "hello" ->
      if text request "protocol" <> "pods-conformance" || whole request "version" <> 1 then problem "unknown protocol";
      [ ("protocol", `String "pods-conformance"); ("version", `Int 1); ("name", `String "Rules.v") ]
  | "game" ->
      current := None;
      current := Some (read_game request);
      []
  | "moves" ->
      let setup = setup () in
      let s = position setup in
      [ ("status", status setup s); ("actions", texts (List.map (show_action setup) (legal_actions setup.game s))) ]
  | "apply" -> (
      let setup = setup () in
      let s = position setup and wanted = text request "action" in
      match List.find_opt (fun a -> show_action setup a = wanted) (legal_actions setup.game s) with
      | None -> [ ("type", `String "illegal") ]
      | Some a ->
          let then_ = after setup.game s a in
          [ ("type", `String "applied"); ("position", `String (show_position setup then_)); ("status", status setup then_);
            ("returned", pods_of setup (returned setup.game s a)); ("removed", pods_of setup (removed setup.game s a)) ])
  | "status" ->
      let setup = setup () in
      [ ("status", status setup (position setup)) ]
  | "perft" ->
      let setup = setup () in
      [ ("count", `Int (of_n (perft setup.game (nat (whole request "depth")) (position setup)))) ]
  | "quit" -> []
  | _ -> problem "unknown type of request: %s" kind

let reply line =
  let id = ref `Null in
  try
    let request = try Json.from_string line with _ -> problem "no JSON" in
    id := `Int (whole request "id");
    let kind = text request "type" in
    let fields = answer kind request in
    let typed = if List.mem_assoc "type" fields then fields
      else ("type", `String (if kind = "game" || kind = "quit" then "ok" else kind)) :: fields in
    (`Assoc (("id", !id) :: typed), kind = "quit")
  with
  | Problem message -> (`Assoc [ ("id", !id); ("type", `String "error"); ("message", `String message) ], false)
  | _ -> (`Assoc [ ("id", !id); ("type", `String "error"); ("message", `String "malformed request") ], false)

let () =
  let rec next () =
    match input_line stdin with
    | exception End_of_file -> ()
    | line when String.trim line = "" -> next ()
    | line ->
        let response, over = reply line in
        print_endline (Json.to_string response);
        if not over then next () in
  next ()
