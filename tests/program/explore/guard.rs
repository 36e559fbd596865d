//! Access to the page: only for those who know the token, by the server's own name, from the
//! server's own page.

use std::io::{BufReader, Read as _, Write as _};
use std::thread;

use serde_json::json;

use super::{Served, read_answer, read_head, setting};

#[test]
fn the_token_lets_in_and_nothing_else_does() {
    let served = Served::new(&[]);
    let host = served.host();
    let get =
        |target: &str, more: &str| served.ask(&format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n"), b"");
    let wrong = "0".repeat(served.token.len());
    for target in ["/", "/main.js", "/api/library", "/nothing", "/?token=", "/?", &format!("/?token={wrong}")] {
        let answer = get(target, "");
        assert_eq!(answer.status, 403, "{target} {answer:?}");
        assert!(!answer.body.contains("<html"), "{target}");
        // Who opens the page is told what to do, on a page that needs no file; scripts get a line.
        let is_page = answer.header("content-type") == Some("text/html; charset=utf-8");
        assert_eq!(is_page, target == "/" || target.starts_with("/?"), "{target}");
        if is_page {
            assert!(answer.body.contains("Open the address that it prints"), "{target}: {}", answer.body);
            assert!(!["src=", "href=", "<style", "<script"].iter().any(|word| answer.body.contains(word)), "{target}");
        }
    }
    // The token opens the page, once for a cookie; it does not stand for one.
    assert_eq!(get(&format!("/api/library?token={}", served.token), "").status, 403);
    let let_in = get(&format!("/?token={}", served.token), "");
    assert_eq!(let_in.status, 200);
    assert!(let_in.body.contains("content=\"0; url=/\""), "{let_in:?}");
    assert!(!let_in.body.contains(&served.token), "{let_in:?}");
    let cookie = let_in.header("set-cookie").unwrap();
    assert!(cookie.starts_with(&format!("pods-explore-{}=", served.port)), "{cookie}");
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains(&served.token), "{cookie}");
    let (name, value) = served.cookie.split_once('=').unwrap();
    for cookie in [
        format!("{name}={}", served.token),
        format!("{name}={}", &value[1..]),
        format!("{name}=x{value}"),
        format!("other={value}"),
        format!("{name}="),
    ] {
        assert_eq!(get("/", &format!("Cookie: {cookie}\r\n")).status, 403, "{cookie}");
    }
    assert_eq!(get("/", &format!("Cookie: a=b; {}; c=d\r\n", served.cookie)).status, 200);
}

#[test]
fn the_page_is_served_with_what_keeps_it_to_itself() {
    let served = Served::new(&[]);
    let page = served.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let mut linked = 0;
    for attribute in ["src=\"", "href=\""] {
        for path in page.body.split(attribute).skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let file = served.get(path);
            assert_eq!(file.status, 200, "{path}");
            assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
            linked += 1;
        }
    }
    assert_eq!(linked, 3, "icon, style sheet, script");
    // Nothing is inline, nothing comes from elsewhere.
    for word in ["<style", "<script>", "style=", "onclick=", "http://", "https://"] {
        assert!(!page.body.contains(word), "{word}");
    }
    let missing = served.get("/nothing");
    assert_eq!(missing.status, 404);
    for answer in [&page, &missing, &served.ask("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"")] {
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"));
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
}

#[test]
fn scripts_never_make_markup_of_data() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/explore/page");
    let (mut files, mut parsers) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.lines().count() <= 500, "{}", path.display());
        for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
            assert!(!text.contains(word), "{} has {word}", path.display());
        }
        let parsed = text.lines().filter(|line| line.contains("parseFromString("));
        assert!(parsed.clone().all(|line| line.contains("\"image/svg+xml\"")), "{}", path.display());
        parsers += parsed.count();
        files += 1;
    }
    assert!(files > 10 && parsers == 1, "{files} files, {parsers} parsers");
}

#[test]
fn other_names_for_the_machine_are_no_names_of_the_server() {
    let served = Served::new(&[]);
    let port = served.port;
    let get = |line: &str, hosts: &str| {
        served.ask(&format!("GET {line} HTTP/1.1\r\n{hosts}Cookie: {}\r\n\r\n", served.cookie), b"").status
    };
    for host in [
        "evil.example",
        "127.0.0.1",
        "localhost",
        &format!("evil.example:{port}"),
        &format!("127.0.0.1:{}", port.wrapping_add(1)),
        &format!("127.0.0.1.evil.example:{port}"),
        &format!("127.0.0.2:{port}"),
        &format!("0.0.0.0:{port}"),
        &format!("[::1]:{port}"),
        &format!("LOCALHOST.:{port}"),
        "",
    ] {
        let status = get("/", &format!("Host: {host}\r\n"));
        assert!(status == 403 || status == 400, "{host:?} {status}");
    }
    let own = served.host();
    for hosts in
        [format!("Host: {own}\r\nHost: evil.example\r\n"), format!("Host: {own}\r\nHost: {own}\r\n"), String::new()]
    {
        let status = get("/", &hosts);
        assert!(status == 403 || status == 400, "{hosts:?} {status}");
    }
    assert_eq!(get(&format!("http://evil.example:{port}/"), &format!("Host: {own}\r\n")), 403);
    assert_eq!(get("/", &format!("Host: localhost:{port}\r\n")), 200);
    assert_eq!(get(&format!("http://{own}/"), &format!("Host: {own}\r\n")), 200);
}

#[test]
fn only_the_page_may_ask() {
    let served = Served::new(&[]);
    let (host, port) = (served.host(), served.port);
    let body = json!({ "setting": setting("nook9", "four", "standard", "start", &[]) }).to_string();
    let post = |more: &str, kind: &str| {
        let head = format!(
            "POST /api/view HTTP/1.1\r\nHost: {host}\r\n{more}Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        served.ask(&head, body.as_bytes()).status
    };
    let cookie = format!("Cookie: {}\r\n", served.cookie);
    let json = "application/json";
    for origin in [
        String::new(),
        "Origin: null\r\n".to_owned(),
        "Origin: http://evil.example\r\n".to_owned(),
        format!("Origin: https://{host}\r\n"),
        format!("Origin: http://127.0.0.1:{}\r\n", port.wrapping_sub(1)),
        format!("Origin: http://localhost:{port}\r\n"),
        format!("Origin: http://{host}.evil.example\r\n"),
        format!("Origin: http://{host}\r\nOrigin: http://evil.example\r\n"),
    ] {
        assert_eq!(post(&format!("{origin}{cookie}"), json), 403, "{origin:?}");
    }
    let own = format!("Origin: http://{host}\r\n");
    assert_eq!(post(&own, json), 403);
    // What a form of another site can send is no question.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        assert_eq!(post(&format!("{own}{cookie}"), kind), 415, "{kind}");
    }
    assert_eq!(post(&format!("{own}{cookie}"), json), 200);
}

#[test]
fn other_methods_do_nothing() {
    let served = Served::new(&[]);
    for (method, path) in [
        ("PUT", "/"),
        ("DELETE", "/"),
        ("POST", "/"),
        ("GET", "/api/view"),
        ("PUT", "/api/view"),
        ("OPTIONS", "/api/view"),
        ("TRACE", "/"),
    ] {
        let (host, cookie) = (served.host(), &served.cookie);
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\nContent-Length: 0\r\n\r\n"
        );
        let answer = served.ask(&head, b"");
        assert_eq!(answer.status, 405, "{method} {path} {answer:?}");
        assert_eq!(answer.header("access-control-allow-methods"), None);
    }
}

#[test]
fn what_is_too_large_or_makes_no_sense_is_refused() {
    let served = Served::new(&[]);
    let large = "x".repeat(10 << 20);
    for path in ["/api/view", "/api/material", "/api/job"] {
        assert_eq!(served.post_text(path, &large).status, 413, "{path}");
        assert_eq!(served.post_text(path, &format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000))).status / 100, 4);
        for text in ["", "{", "null", "{\"a\":1}", "\u{0}", "{\"setting\":{}}"] {
            assert_eq!(served.post_text(path, text).status / 100, 4, "{path} {text:?}");
        }
    }
    // A length that is a lie, and a head without end.
    let head = served.head("/api/view", 5).replace("Content-Length: 5", "Content-Length: -5");
    assert_eq!(served.ask(&head, b"").status, 400);
    let long = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", served.host(), "x".repeat(1 << 20));
    assert_eq!(served.ask(&long, b"").status, 431);
    // Names of files are no names of boards.
    for board in ["/etc/passwd", "boards/cave36.toml", "../x", "file:///etc/passwd", "cave36\0"] {
        let answer = served.post("/api/view", &json!({ "setting": setting(board, "four", "standard", "start", &[]) }));
        assert_eq!(answer.status, 422, "{board} {answer:?}");
        assert!(answer.body.contains("there is no built-in board"), "{}", answer.body);
    }
    assert_eq!(served.get("/").status, 200);
}

/// No more of what was sent comes back than tells what it was.
#[test]
fn nothing_of_a_question_is_echoed_beyond_200_characters() {
    let served = Served::new(&[]);
    let (letters, digits) = ("b".repeat(50_000), format!("b{}", "9".repeat(50_000)));
    let words = "be ".repeat(20_000);
    let mut faults = Vec::new();
    for long in [&letters, &digits, &words] {
        let nook = setting("nook9", "four", "standard", "start", &[]);
        let with = |key: &str, value: serde_json::Value| {
            let mut setting = nook.clone();
            setting[key] = value;
            setting
        };
        let file = format!("name = {long:?}\nsource = {long:?}\n{long}");
        let settings = [
            with("board", json!(long)),
            with("board", json!(file)),
            with("pods", json!(long)),
            with("pods", json!(file)),
            with("rules", json!(long)),
            with("rules", json!(format!("standard+{long}"))),
            with("rules", json!(format!("standard+captures={long}"))),
            with("white", json!(long)),
            with("black", json!(format!("z{long}"))),
            with("position", json!(long)),
            with("position", json!(format!("{long}/3/3 w b b -"))),
            with("actions", json!([long])),
            with("turn", json!(long)),
            with(long, json!(1)),
        ];
        let mut questions: Vec<_> = settings
            .iter()
            .flat_map(|setting| {
                [
                    ("/api/view", json!({ "setting": setting })),
                    ("/api/share", json!({ "setting": setting })),
                    ("/api/job", json!({ "values": { "setting": setting, "seconds": 1.0 } })),
                ]
            })
            .collect();
        questions.extend([
            ("/api/view", json!({ "setting": nook, long: 1 })),
            ("/api/why", json!({ "setting": nook, "action": long })),
            ("/api/compare", json!({ "setting": nook, "other": long })),
            ("/api/captions", json!({ "board": long, "pods": "four" })),
            ("/api/captions", json!({ "board": "nook9", "pods": file })),
            ("/api/pods", json!({ "pods": long })),
            ("/api/material", json!({ "name": long, "text": long })),
            ("/api/edit", json!({ "board": { "text": file, "change": null } })),
            ("/api/edit", json!({ "board": { "text": "nook9", "change": { "point": { "at": long } } } })),
            ("/api/arrange", json!({ "setting": nook, "change": { "lift": { "at": long } } })),
            ("/api/arrange", json!({ "setting": nook, "change": { long: {} } })),
            ("/api/job", json!({ long: { "setting": nook } })),
        ]);
        for (path, question) in questions {
            let answer = served.post(path, &question);
            let body = &answer.body;
            let echoed = [&letters[..201], &digits[1..202], &words[..201]].iter().any(|piece| body.contains(piece));
            if answer.status / 100 != 4 || echoed || body.len() >= 4_000 {
                let asked = question.to_string();
                faults.push(format!("{path} {asked:.200}: {}, {} bytes: {body:.200}", answer.status, body.len()));
            }
        }
        let answer = served.post(&format!("/api/{}", &long[..5_000].replace(' ', "%20")), &json!({}));
        assert!(answer.status / 100 == 4 && answer.body.len() < 4_000, "{} {:.300}", answer.status, answer.body);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_slow_client_is_given_up_and_holds_nobody_up() {
    let served = Served::new(&[]);
    let body = json!({ "setting": setting("nook9", "four", "standard", "start", &[]) }).to_string();
    let mut slow_head = served.connect();
    slow_head.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    let mut slow_body = served.connect();
    slow_body.write_all(served.head("/api/view", body.len()).as_bytes()).unwrap();
    slow_body.write_all(&body.as_bytes()[..10]).unwrap();
    let silent = served.connect();
    for _ in 0..50 {
        assert_eq!(served.post_text("/api/view", &body).status, 200);
    }
    // Each is closed by the server: nothing here ends before that.
    let closed = |mut stream: std::net::TcpStream| {
        thread::spawn(move || {
            let mut rest = Vec::new();
            stream.read_to_end(&mut rest).map(|_| String::from_utf8_lossy(&rest).into_owned())
        })
    };
    let (head, silent) = (closed(slow_head), closed(silent));
    assert_eq!(read_answer(&mut BufReader::new(slow_body)).unwrap().status, 408);
    for thread in [head, silent] {
        let said = thread.join().unwrap().unwrap();
        assert!(!said.contains("200 OK"), "{said}");
    }
}

#[test]
fn strangers_who_hold_connections_open_do_not_keep_the_owner_out() {
    let served = Served::new(&[]);
    let body = json!({ "setting": setting("nook9", "four", "standard", "start", &[]) }).to_string();
    let question = format!("{}{body}", served.head("/api/view", body.len()));
    let mut own = BufReader::new(served.connect());
    let mut ask_again = || {
        own.get_mut().write_all(question.as_bytes()).unwrap();
        let head = read_head(&mut own).unwrap();
        let length = head
            .1
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ").map(str::to_owned));
        let mut answer = vec![0; length.unwrap().trim().parse().unwrap()];
        own.read_exact(&mut answer).unwrap();
        head.0
    };
    assert_eq!(ask_again(), 200);
    // More than there are places: the first of them goes, the known connection and a new one stay.
    let mut idle: Vec<_> = (0..300).map(|_| served.connect()).collect();
    assert_eq!(served.post_text("/api/view", &body).status, 200);
    assert_eq!(ask_again(), 200);
    let mut rest = Vec::new();
    let ended = idle[0].read_to_end(&mut rest);
    assert!(ended.is_err() || rest.is_empty(), "{rest:?}");
    idle[299].write_all(format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", served.host()).as_bytes()).unwrap();
    assert_eq!(read_answer(&mut BufReader::new(idle.pop().unwrap())).unwrap().status, 403);
}
