(* Reads a certificate of version 4 and asks the verified checker ([Checker.checked]) whether it holds.

     check-proof FILE      ("-" reads standard input; packed files are unpacked by xz or zstd first)

   Prints one line. Exit status: 0 the claim is proven, 1 it is not, 2 the file could not be judged. Only the header, from which the
   claim is made, and what is printed have to be trusted here; all else answers questions of the checker. *)
open Checker

exception Refused of string
exception Unread of string
let refuse f = Printf.ksprintf (fun s -> raise (Refused s)) f
let unread f = Printf.ksprintf (fun s -> raise (Unread s)) f

let rec int_of = function O -> 0 | S n -> 1 + int_of n
let nats = let a = Array.make 4097 O in for i = 1 to 4096 do a.(i) <- S a.(i - 1) done; a
let nat_of i = nats.(i)
let rec bits n m = if m = 0 then n else bits (n + 1) (m land (m - 1))
let place_of bit = let rec go n b = if b = 1 then n else go (n + 1) (b lsr 1) in go 0 bit

(* ---- the bytes ---- *)
let data = ref "" and at = ref 0
let read_all channel =
  let b = Buffer.create (1 lsl 20) in
  (try while true do Buffer.add_channel b channel 1 done with End_of_file -> ());
  Buffer.contents b
let next_byte what = if !at >= String.length !data then refuse "the file ends %s" what else (incr at; Char.code !data.[!at - 1])

(* ---- the header ---- *)
let stop what = unread "header, byte %d: %s" !at what
let has text =
  let n = String.length text in
  let yes = !at + n <= String.length !data && String.sub !data !at n = text in
  if yes then at := !at + n;
  yes
let want text = if not (has text) then stop ("expected " ^ text)
let peek () = if !at < String.length !data then !data.[!at] else '\n'
let skip_string () =
  want "\"";
  let start = !at in
  while peek () <> '"' do
    if peek () < ' ' then stop "a control byte in a string, or no end of it";
    if peek () = '\\' then incr at;
    incr at
  done;
  incr at;
  String.sub !data start (!at - 1 - start)
let number most =
  if peek () < '1' || peek () > '9' then stop "expected a number";
  let n = ref 0 in
  while peek () >= '0' && peek () <= '9' do
    n := 10 * !n + Char.code (peek ()) - 48; incr at;
    if !n > most then stop "a number that is too large"
  done;
  !n
let point_name () =
  want "\"";
  let c = Char.code (peek ()) - 97 in
  if c < 0 || c > 25 then stop "no name of a point";
  incr at;
  let r = number 26 - 1 in
  want "\"";
  (c, r)
let rec list_of item = let x = item () in if has "," then x :: list_of item else (want "]"; [ x ])

let dirs = [ (Dn, "n", 0, 1); (Dne, "ne", 1, 1); (De, "e", 1, 0); (Dse, "se", 1, -1); (Ds, "s", 0, -1); (Dsw, "sw", -1, -1); (Dw, "w", -1, 0); (Dnw, "nw", -1, 1) ]
let legs_of text =
  let leg word =
    match List.find_opt (fun (_, n, _, _) -> n = String.lowercase_ascii word) dirs with
    | Some (d, n, _, _) when word = n -> (d, Short0)
    | Some (d, n, _, _) when word = String.uppercase_ascii n -> (d, Long0)
    | _ -> stop "a wrong leg" in
  let legs = List.map leg (String.split_on_char ' ' text) in
  let order = List.map (fun (d, _, _, _) -> d) dirs in
  let rec in_order l o = match l, o with
    | [], _ -> true | _, [] -> false
    | (d, _) :: t, e :: u -> if d = e then in_order t u else in_order l u in
  if not (in_order legs order) then stop "legs not in order";
  legs

type claim = { game : game; start : position; header : header; cols : int; rows : int; places : int array (* of points *); ids : string; position : string; name : string; turned : string }
let read_header () =
  ignore (has "\xef\xbb\xbf");
  let first = !at in
  want "{\"format\":\"pods-certificate\",\"version\":4,\"position\":";
  let position = skip_string () in
  want ",\"value\":";
  let wins = has "\"win\"" in
  if not wins then want "\"loss\"";
  want ",\"plies\":null,\"board\":{\"name\":";
  let name = skip_string () in
  want ",\"source\":"; ignore (skip_string ());
  want ",\"orientation\":";
  let turned = if has "0," then "0" else string_of_int (let n = number 270 in want ","; n) in
  if not (List.mem turned [ "0"; "90"; "180"; "270" ]) then stop "a wrong orientation";
  want "\"points\":[";
  let points = list_of point_name in
  let rec sorted = function (c, r) :: ((d, s) :: _ as t) -> (r, c) < (s, d) && sorted t | _ -> true in
  if not (sorted points) then stop "points not in order";
  let cols = 1 + List.fold_left (fun m (c, _) -> max m c) 0 points and rows = 1 + List.fold_left (fun m (_, r) -> max m r) 0 points in
  if not (List.exists (fun (c, _) -> c = 0) points && List.exists (fun (_, r) -> r = 0) points) then stop "no point in column a, or none in row 1";
  if cols * rows > 62 then unread "the grid of the board has %d places, and this checker takes 62 at most" (cols * rows);
  let place (c, r) = (r * cols) + c in
  want ",\"lines\":[";
  let line () =
    want "[";
    let (c, r) as p = point_name () in
    want ",";
    let (d, s) as q = point_name () in
    want "]";
    match List.find_opt (fun (_, _, x, y) -> d = c + x && s = r + y) (List.filteri (fun i _ -> i < 4) dirs) with
    | Some _ when List.mem p points && List.mem q points -> (p, q)
    | _ -> stop "no line from a point to its neighbour in the direction n, ne, e or se" in
  let lines = if has "]" then [] else list_of line in
  let text (c, r) = Printf.sprintf "%c%d" (Char.chr (97 + c)) (r + 1) in
  let texts = List.map (fun (p, q) -> "\"" ^ text p ^ "\",\"" ^ text q ^ "\"") lines in
  if List.sort_uniq compare texts <> texts then stop "lines not in order";
  want "},\"pods\":{\"name\":"; ignore (skip_string ());
  want ",\"source\":"; ignore (skip_string ());
  want ",\"kinds\":[";
  let kind () =
    want "{\"id\":\"";
    let id = peek () in
    if id < 'a' || id > 'z' then stop "a wrong id";
    incr at;
    want "\",\"name\":"; ignore (skip_string ());
    want ",\"legs\":";
    let legs = legs_of (skip_string ()) in
    want ",\"count\":";
    let n = number 64 in
    want "}";
    (id, legs, n) in
  let kinds = list_of kind in
  let ids = String.of_seq (List.to_seq (List.map (fun (i, _, _) -> i) kinds)) in
  for i = 1 to String.length ids - 1 do if ids.[i] <= ids.[i - 1] then stop "kinds not in order" done;
  want "},\"rules\":{\"name\":"; ignore (skip_string ());
  want ",\"options\":{";
  let option first name values =
    want ((if first then "\"" else ",\"") ^ name ^ "\":");
    match List.find_opt (fun v -> has ("\"" ^ v ^ "\"")) values with Some v -> v | None -> stop "a wrong value of an option" in
  let on = [ "on"; "off" ] in
  let through = option true "attack-through" on in
  let captures = option false "captures" [ "after-moves"; "never"; "every-turn" ] in
  let empty_hand = option false "empty-hand" [ "wins"; "loses" ] in
  let kick_gaps = option false "kick-gaps" [ "every-step"; "last-step" ] in
  let moves = option false "moves" on in
  let opening = option false "opening" [ "bipod"; "any" ] in
  let liberty = option false "placement-liberty" on in
  let after_run = option false "shove-after-run" on in
  let shoves_save = option false "shove-liberty" on in
  let shoves = option false "shoves" on in
  want "}}}\n";
  if captures = "every-turn" || moves = "on" then unread "header: not a placement game";
  if !at - first > 1 lsl 20 then unread "the header is too long";
  (* the position *)
  let bad what = unread "header: the position: %s" what in
  let kind_no c = match String.index_opt ids c with Some i -> i | None -> bad "no such kind" in
  let used = Array.make_matrix 2 26 0 in
  let pods, mover, hands, open_ = match String.split_on_char ' ' position with
    | [ grid; mover; white; black; flag ] ->
        let row r text =
          let rec go c i was_number =
            if i = String.length text then (if c <> cols then bad "a row of another length" else [])
            else match text.[i] with
              | '1' .. '9' when not was_number ->
                  let j = ref i in
                  while !j < String.length text && text.[!j] >= '0' && text.[!j] <= '9' do incr j done;
                  let n = int_of_string (String.sub text i (!j - i)) in
                  if n > cols - c then bad "a row of another length" else go (c + n) !j true
              | ch when not (c < cols && List.mem (c, r) points) -> ignore ch; bad "a pod off the board"
              | 'a' .. 'z' as ch -> let k = kind_no ch in used.(1).(k) <- used.(1).(k) + 1; ((c, r), (Black0, k)) :: go (c + 1) (i + 1) false
              | 'A' .. 'Z' as ch -> let k = kind_no (Char.lowercase_ascii ch) in used.(0).(k) <- used.(0).(k) + 1; ((c, r), (White0, k)) :: go (c + 1) (i + 1) false
              | _ -> bad "a wrong row" in
          go 0 0 false in
        let texts = String.split_on_char '/' grid in
        if List.length texts <> rows then bad "another number of rows";
        let hand text =
          let h = Array.make (String.length ids) 0 in
          let rec go i last =
            if i < String.length text then begin
              let k = kind_no text.[i] in
              if k <= last then bad "a wrong hand";
              let j = ref (i + 1) in
              while !j < String.length text && text.[!j] >= '0' && text.[!j] <= '9' do incr j done;
              let n = if !j = i + 1 then 1 else int_of_string (String.sub text (i + 1) (!j - i - 1)) in
              if !j > i + 1 && (n < 2 || n > 64 || text.[i + 1] = '0') then bad "a wrong count in a hand";
              h.(k) <- n;
              go !j k
            end in
          if text = "" then bad "a wrong hand" else if text <> "-" then go 0 (-1);
          h in
        if mover <> "w" && mover <> "b" then bad "no side to move";
        if flag <> "-" && flag <> "open" then bad "a wrong end";
        let pods = List.concat (List.mapi (fun i t -> row (rows - 1 - i) t) texts) in
        (pods, (if mover = "w" then White0 else Black0), [| hand white; hand black |], flag = "open")
    | _ -> bad "not five fields" in
  List.iteri (fun k (_, _, n) -> Array.iteri (fun s h -> if used.(s).(k) + h.(k) > n then bad "more pods than there are") hands) kinds;
  let bipods = List.exists (fun (k, legs) -> List.length legs = 2 && hands.(if mover = White0 then 0 else 1).(k) > 0) (List.mapi (fun k (_, legs, _) -> (k, legs)) kinds) in
  if open_ && (opening <> "bipod" || not bipods) then bad "open, but the rules are not, or no bipod is in hand";
  let point (c, r) = (nat_of c, nat_of r) in
  let options = made_options (moves = "on") (shoves = "on") (liberty = "on") (captures = "after-moves") (empty_hand = "wins")
    (opening = "bipod") (through = "on") (after_run = "on") (kick_gaps = "last-step") (shoves_save = "on") in
  let game = made_game (List.map point points) (List.map (fun (p, q) -> (point p, point q)) lines) (List.map (fun (_, legs, _) -> legs) kinds) options in
  let hand h = List.concat (List.mapi (fun k n -> List.init n (fun _ -> nat_of k)) (Array.to_list h)) in
  let start = made_position (List.map (fun (p, (x, k)) -> (point p, (x, nat_of k))) pods) (hand hands.(0)) (hand hands.(1)) mover open_ in
  let header = made_claim game (nat_of cols) start (if wins then mover else other mover) in
  { game; start; header; cols; rows; places = Array.of_list (List.map place points); ids; position; name; turned }

(* ---- bits of a section ---- *)
let lines = ref 0 and sections_read = ref 0
let left = ref 0 and range = ref 0 and code = ref 0
let section_byte () =
  if !left = 0 then refuse "the section ends too early";
  decr left;
  next_byte "within a section"
(* contexts: two numbers each, a at 2 i and b at 2 i + 1 *)
let contexts n = Array.make (2 * n) 32768
let read_bit (cs : int array) i =
  let a = cs.(2 * i) and b = cs.(2 * i + 1) in
  let bound = (!range lsr 16) * ((a + b) lsr 1) in
  let yes = !code < bound in
  if yes then begin
    range := bound;
    cs.(2 * i) <- a + (65536 - a) / 16;
    cs.(2 * i + 1) <- b + (65536 - b) / 128
  end else begin
    code := !code - bound; range := !range - bound;
    cs.(2 * i) <- a - a / 16;
    cs.(2 * i + 1) <- b - b / 128
  end;
  while !range < 1 lsl 24 do range := !range lsl 8; code := !code lsl 8 lor section_byte () done;
  yes

(* What the reader remembers for each level. *)
type level = { verdict_bit : int array; order : int array; mutable verdict : int; mutable rank : int; mutable covered : int }

(* ---- essences known again, by a hash; the checker compares them whole ---- *)
let keys = Random.self_init (); Array.init 64 (fun _ -> (Random.bits () lsl 33) lxor (Random.bits () lsl 15) lxor Random.bits () lor 1)
let mixed h = let h = (h lxor (h lsr 29)) * 0x1f3d5b79a8c6e4d5 in h lxor (h lsr 32)
let add8 h i (t : int oct) =
  h + (keys.(i) * t.o_n) + (keys.(i + 1) * t.o_ne) + (keys.(i + 2) * t.o_e) + (keys.(i + 3) * t.o_se) + (keys.(i + 4) * t.o_s)
  + (keys.(i + 5) * t.o_sw) + (keys.(i + 6) * t.o_w) + (keys.(i + 7) * t.o_nw)
let entry_hash e =
  let h = (keys.(0) * int_of e.e_n) + (keys.(1) * e.e_A) + (keys.(2) * e.e_last) in
  mixed (add8 (add8 (add8 (add8 h 3 e.e_near) 11 e.e_pass) 19 e.e_far) 27 e.e_strike)
let essence_hash x =
  let sum l = List.fold_left (fun h e -> h + entry_hash e) 0 l in
  let h = (if x.x_mover = White0 then keys.(36) else 0) + (keys.(37) * int_of x.x_size_white) + (keys.(38) * int_of x.x_size_black)
    + (keys.(39) * x.x_n) + (keys.(40) * x.x_ne) + (keys.(41) * x.x_e) + (keys.(42) * x.x_se)
    + (keys.(43) * mixed (sum x.x_white)) + (keys.(44) * mixed (sum x.x_black)) in
  let h = mixed (add8 (add8 h 45 x.x_struck_white) 53 x.x_struck_black) in
  if h = 0 then 1 else h
type known = { mutable hash : (int, Bigarray.int_elt, Bigarray.c_layout) Bigarray.Array1.t;
  mutable number : (int32, Bigarray.int32_elt, Bigarray.c_layout) Bigarray.Array1.t; mutable size : int; mutable count : int }
let table_of size =
  let h = Bigarray.Array1.create Bigarray.int Bigarray.c_layout size in
  Bigarray.Array1.fill h 0;
  (h, Bigarray.Array1.create Bigarray.int32 Bigarray.c_layout size)
let known = let h, n = table_of 4096 in { hash = h; number = n; size = 4096; count = 0 }
let listed = ref 0
let rec slot h i = let i = i land (known.size - 1) in let k = Bigarray.Array1.unsafe_get known.hash i in if k = h || k = 0 then i else slot h (i + 1)
let remember h =
  let i = slot h (h lsr 7) in
  if known.hash.{i} = 0 then begin known.hash.{i} <- h; known.number.{i} <- Int32.of_int !listed; known.count <- known.count + 1 end;
  incr listed;
  if known.count * 4 > known.size * 3 then begin
    let h, n, size = known.hash, known.number, known.size in
    let h', n' = table_of (2 * size) in
    known.hash <- h'; known.number <- n'; known.size <- 2 * size;
    for i = 0 to size - 1 do
      if h.{i} <> 0 then begin let j = slot h.{i} (h.{i} lsr 7) in h'.{j} <- h.{i}; n'.{j} <- n.{i} end
    done
  end

(* ---- the oracle ---- *)
let oracle_of c : unit oracle =
  let h = c.header in
  let board = geo_of (game_of h) in
  let kinds = String.length c.ids and x = h.h_winner in
  let index_of = Array.make 64 O in
  Array.iteri (fun i p -> index_of.(p) <- nat_of i) c.places;
  let fresh = Array.init (kinds * Array.length c.places) (fun i -> (i / Array.length c.places * 64) + c.places.(i mod Array.length c.places)) in
  let levels : level option array = Array.make 64 None in
  let choice_bit = ref [||] and cover_bit = ref [||] and plan_bit = ref [||] and point_covered = Array.make 64 1 in
  let level_of s =
    let n = bits 0 (s.s_white.f_occ lor s.s_black.f_occ) in
    match levels.(n) with
    | Some l -> l
    | None ->
        let l = { verdict_bit = contexts (8 * 5 * 4); order = Array.copy fresh; verdict = 0; rank = 0; covered = 1 } in
        levels.(n) <- Some l; l in
  let begin_section () =
    let b () = next_byte "where a section begins" in
    let n = b () in let n = n lor (b () lsl 8) in let n = n lor (b () lsl 16) in let n = n lor (b () lsl 24) in
    if n = 0 then refuse "a situation left for later has no section";
    left := n; incr sections_read;
    Array.fill levels 0 64 None;
    choice_bit := contexts (4 * 32); cover_bit := contexts (8 * 4); plan_bit := contexts (2 * 16);
    Array.fill point_covered 0 64 1;
    if section_byte () <> 0 then refuse "the first byte of the section is not 0";
    range := 0xffffffff; code := 0;
    for _ = 1 to 4 do code := !code lsl 8 lor section_byte () done;
    if !code = !range then refuse "no section begins with these bytes" in
  let end_section () = if !left > 0 || !code > 0 then refuse "the section does not end where its bits do" in
  let say_verdict () s l =
    let v = level_of s in
    let w = min 7 (bits 0 (union l 0)) in
    let b i = read_bit v.verdict_bit ((((w * 5) + v.verdict) * 4) + i) in
    v.verdict <- (if not (b 0) then 0 else if not (b 1) then 1 else if not (b 2) then 2 else if not (b 3) then 3 else 4);
    incr lines;
    ((), match v.verdict with 0 -> Step | 1 -> Counting | 2 -> Shown | 3 -> Later | _ -> Mirror) in
  let sets = Array.make 26 0 in
  let fill l = Array.fill sets 0 26 0; List.iter (fun r -> sets.(int_of r.r_kd.kd_no) <- r.r_set) l in
  let say_choice () s l =
    let v = level_of s in
    fill l;
    let rec go i zeros =
      if i = Array.length v.order then refuse "none of the choices is chosen";
      let pair = v.order.(i) in
      if sets.(pair lsr 6) lsr (pair land 63) land 1 = 0 then go (i + 1) zeros
      else if not (read_bit !choice_bit ((v.rank * 32) + min zeros 31)) then go (i + 1) (zeros + 1)
      else begin
        Array.blit v.order 0 v.order 1 i;
        v.order.(0) <- pair; v.rank <- min zeros 3;
        pair
      end in
    let pair = go 0 0 in
    ((), (nat_of (pair lsr 6), index_of.(pair land 63))) in
  let say_cover () s p ks =
    let v = level_of s and q = int_of p.pt_no in
    let yes = read_bit !cover_bit ((min 7 (List.length ks) * 4) + (v.covered * 2) + point_covered.(q)) in
    v.covered <- Bool.to_int yes; point_covered.(q) <- Bool.to_int yes;
    ((), yes) in
  (* a largest matching (Kuhn), and a cover of its size (König) *)
  let match_of = Array.make 64 (-1) and tried = ref 0 and live = Array.make 26 0 and hand = Array.make 26 0 in
  let rec augment k =
    let free = live.(k) land lnot !tried in
    if free = 0 then false
    else begin
      let bit = free land (-free) in
      let p = place_of bit in
      tried := !tried lor bit;
      if match_of.(p) < 0 || augment match_of.(p) then (match_of.(p) <- k; true) else augment k
    end in
  let say_plan () s empty r lx th =
    let rows_y = rows r (other x) in
    Array.fill match_of 0 64 (-1); Array.fill live 0 26 0; Array.fill hand 0 26 0;
    let matched = Array.make 26 0 in
    List.iter (fun r -> let k = int_of r.r_kd.kd_no in live.(k) <- r.r_set; hand.(k) <- int_of r.r_n) rows_y;
    List.iter (fun r -> let k = int_of r.r_kd.kd_no in
      while matched.(k) < hand.(k) && (tried := 0; augment k) do matched.(k) <- matched.(k) + 1 done) rows_y;
    let reached = Array.make 26 false and points = ref 0 in
    let rec reach k =
      if not reached.(k) then begin
        reached.(k) <- true;
        let fresh = live.(k) land lnot !points in
        points := !points lor fresh;
        let rec each m = if m <> 0 then begin reach match_of.(place_of (m land (-m))); each (m land (m - 1)) end in
        each fresh
      end in
    List.iter (fun r -> let k = int_of r.r_kd.kd_no in if matched.(k) < hand.(k) then reach k) rows_y;
    let n = Array.fold_left (+) 0 matched in
    let first = s.s_mover = x in
    let n = if first then n + 1 else n in
    let left = Array.make 26 0 in
    let mine = (match x with White0 -> s.s_white | Black0 -> s.s_black).f_hand in
    List.iter (fun (k, n) -> left.(int_of k.kd_no) <- int_of n) mine;
    let safe = List.map (fun r -> (r, int_of r.r_kd.kd_no, safe_set x th r)) lx in
    let used = ref 0 in
    let pair i =
      let f = if first && i = 0 then 1 else 0 in
      let free = empty land lnot (th.t_points lor !used) in
      let t = tab (fun d -> go (get board.g_ways (opp1 d)) free) in
      let zeros = ref 0 in
      let rec kinds = function
        | [] -> refuse "the plan of counting lacks pair %d of %d" (i + 1) n
        | (r, k, safe) :: rest ->
            let may = if left.(k) = 0 then 0 else if f = 1 then r.r_set else
              let m = safe land lnot !used in
              if h.h_liberty && m <> 0 then m land over (kd_legs r.r_kd x) t t 0 else m in
            let rec points m =
              if m = 0 then kinds rest
              else if read_bit !plan_bit ((f * 16) + min !zeros 15) then begin
                let bit = m land (-m) in
                used := !used lor bit; left.(k) <- left.(k) - 1;
                (r.r_kd.kd_no, index_of.(place_of bit))
              end else begin incr zeros; points (m land (m - 1)) end in
            points may in
      kinds safe in
    let rec pairs i = if i = n then [] else let p = pair i in p :: pairs (i + 1) in
    let pl_pairs = pairs 0 in
    let pl_kinds = List.filter_map (fun r -> if reached.(int_of r.r_kd.kd_no) then None else Some r.r_kd.kd_no) rows_y in
    ((), { pl_kinds; pl_points = !points; pl_pairs }) in
  let say_shown () e =
    let i = slot (essence_hash e) (essence_hash e lsr 7) in
    if known.hash.{i} = 0 then refuse "nothing of this essence has been listed before";
    ((), !listed - 1 - Int32.to_int known.number.{i}) in
  let hear_listed () e = remember (essence_hash e) in
  { begin_section; end_section; say_verdict; say_choice; say_cover; say_plan; say_shown; hear_listed }

let () =
  if Array.length Sys.argv <> 2 then (prerr_endline "usage: check-proof FILE     (- is standard input)"; exit 2);
  let where () = if !sections_read = 0 then "" else Printf.sprintf "section %d, verdict %d: " !sections_read !lines in
  try
    data := (match Sys.argv.(1) with "-" -> read_all stdin | f -> let c = open_in_bin f in let s = really_input_string c (in_channel_length c) in close_in c; s);
    let c = read_header () in
    let yes = checked c.game (nat_of c.cols) c.start c.header.h_winner (nat_of (c.cols * c.rows)) (oracle_of c) () in
    if not yes then refuse "the verified checker refuses this";
    for _ = 1 to 4 do if next_byte "where a section begins" <> 0 then refuse "one more section than situations left for later" done;
    let digest = Sha256.hex (String.sub !data (if String.length !data > 0 && !data.[0] = '\xef' then 3 else 0) (!at - if !data.[0] = '\xef' then 3 else 0)) in
    let trailer = Printf.sprintf "{\"lines\":%d,\"sha256\":\"%s\"}\n" !lines digest in
    if not (has trailer && !at = String.length !data) then refuse "the last line has another form, another number of lines or another digest";
    let side = function White0 -> "White" | Black0 -> "Black" and on b = if b then "on" else "off" in
    let h = c.header in
    Printf.printf "holds: %s wins %s, %s to move; the file calls the board \"%s\", turned by %s (empty-hand=%s, placement-liberty=%s, attack-through=%s); %d lines, %d sections, %d listed\n"
      (side h.h_winner) c.position (side h.h_mover) c.name c.turned (if h.h_wins then "wins" else "loses") (on h.h_liberty) (on h.h_through) !lines !sections_read !listed
  with
  | Refused s -> Printf.printf "does not hold: %s%s\n" (where ()) s; exit 1
  | Unread s -> prerr_endline ("check-proof: " ^ s); exit 2
  | Sys_error s -> prerr_endline ("check-proof: " ^ s); exit 2
