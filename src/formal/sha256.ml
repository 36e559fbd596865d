(* SHA-256 (FIPS 180-4) of a string, in hexadecimal. The digest at the end of a certificate finds damage; it proves nothing. *)
let k = [| 0x428a2f98; 0x71374491; 0xb5c0fbcf; 0xe9b5dba5; 0x3956c25b; 0x59f111f1; 0x923f82a4; 0xab1c5ed5; 0xd807aa98; 0x12835b01; 0x243185be;
  0x550c7dc3; 0x72be5d74; 0x80deb1fe; 0x9bdc06a7; 0xc19bf174; 0xe49b69c1; 0xefbe4786; 0x0fc19dc6; 0x240ca1cc; 0x2de92c6f; 0x4a7484aa;
  0x5cb0a9dc; 0x76f988da; 0x983e5152; 0xa831c66d; 0xb00327c8; 0xbf597fc7; 0xc6e00bf3; 0xd5a79147; 0x06ca6351; 0x14292967; 0x27b70a85;
  0x2e1b2138; 0x4d2c6dfc; 0x53380d13; 0x650a7354; 0x766a0abb; 0x81c2c92e; 0x92722c85; 0xa2bfe8a1; 0xa81a664b; 0xc24b8b70; 0xc76c51a3;
  0xd192e819; 0xd6990624; 0xf40e3585; 0x106aa070; 0x19a4c116; 0x1e376c08; 0x2748774c; 0x34b0bcb5; 0x391c0cb3; 0x4ed8aa4a; 0x5b9cca4f;
  0x682e6ff3; 0x748f82ee; 0x78a5636f; 0x84c87814; 0x8cc70208; 0x90befffa; 0xa4506ceb; 0xbef9a3f7; 0xc67178f2 |]
let mask = 0xffffffff
let ror x n = ((x lsr n) lor (x lsl (32 - n))) land mask
let hex s =
  let n = String.length s in
  let blocks = (n + 9 + 63) / 64 in
  let b = Bytes.make (64 * blocks) '\000' in
  Bytes.blit_string s 0 b 0 n;
  Bytes.set b n '\128';
  Bytes.set_int64_be b ((64 * blocks) - 8) (Int64.of_int (8 * n));
  let h = [| 0x6a09e667; 0xbb67ae85; 0x3c6ef372; 0xa54ff53a; 0x510e527f; 0x9b05688c; 0x1f83d9ab; 0x5be0cd19 |] in
  let w = Array.make 64 0 in
  for i = 0 to blocks - 1 do
    for j = 0 to 15 do w.(j) <- Int32.to_int (Bytes.get_int32_be b ((64 * i) + (4 * j))) land mask done;
    for j = 16 to 63 do
      let a = w.(j - 15) and c = w.(j - 2) in
      w.(j) <- (w.(j - 16) + (ror a 7 lxor ror a 18 lxor (a lsr 3)) + w.(j - 7) + (ror c 17 lxor ror c 19 lxor (c lsr 10))) land mask
    done;
    let v = Array.copy h in
    for j = 0 to 63 do
      let e = v.(4) and a = v.(0) in
      let t1 = v.(7) + (ror e 6 lxor ror e 11 lxor ror e 25) + ((e land v.(5)) lxor (lnot e land mask land v.(6))) + k.(j) + w.(j) in
      let t2 = (ror a 2 lxor ror a 13 lxor ror a 22) + ((a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2))) in
      Array.blit v 0 v 1 7;
      v.(4) <- (v.(4) + t1) land mask;
      v.(0) <- (t1 + t2) land mask
    done;
    Array.iteri (fun j x -> h.(j) <- (h.(j) + x) land mask) v
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") h))
