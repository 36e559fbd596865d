//! Finds the places of a source where a fault can be planted, and writes it with a switch at each.

use proc_macro2::Span;
use quote::ToTokens as _;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Lit, ReturnType, Type, UnOp, parse_quote};

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fault {
    /// The file, below the package.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
    /// The function in which it stands.
    pub function: String,
    /// The change: `== becomes !=`.
    pub change: String,
}

/// Visitor of one file: places that `number` gives a number get a switch.
pub struct Planter<'a> {
    file: &'a str,
    functions: Vec<String>,
    number: &'a mut dyn FnMut(Fault) -> Option<u32>,
}

/// Reads a source, and writes it with switches.
///
/// # Errors
///
/// If the source is no Rust.
pub fn plant(file: &str, text: &str, number: &mut dyn FnMut(Fault) -> Option<u32>) -> syn::Result<String> {
    let mut tree = syn::parse_file(text)?;
    Planter { file, functions: Vec::new(), number }.visit_file_mut(&mut tree);
    Ok(prettyplease::unparse(&tree))
}

/// Returns `true` if an attribute says that the item is there for tests only.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.meta.to_token_stream().to_string();
        text == "test" || text.contains("cfg (test)")
    })
}

fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(paren) => has_let(&paren.expr),
        _ => false,
    }
}

fn swapped(op: &BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Add(_) => parse_quote!(-),
        BinOp::Sub(_) => parse_quote!(+),
        BinOp::Mul(_) => parse_quote!(+),
        BinOp::Div(_) => parse_quote!(*),
        BinOp::Rem(_) => parse_quote!(/),
        BinOp::And(_) => parse_quote!(||),
        BinOp::Or(_) => parse_quote!(&&),
        BinOp::BitXor(_) => parse_quote!(|),
        BinOp::BitAnd(_) => parse_quote!(|),
        BinOp::BitOr(_) => parse_quote!(&),
        BinOp::Shl(_) => parse_quote!(>>),
        BinOp::Shr(_) => parse_quote!(<<),
        BinOp::Eq(_) => parse_quote!(!=),
        BinOp::Ne(_) => parse_quote!(==),
        BinOp::Lt(_) => parse_quote!(<=),
        BinOp::Le(_) => parse_quote!(<),
        BinOp::Gt(_) => parse_quote!(>=),
        BinOp::Ge(_) => parse_quote!(>),
        BinOp::AddAssign(_) => parse_quote!(-=),
        BinOp::SubAssign(_) => parse_quote!(+=),
        BinOp::BitOrAssign(_) => parse_quote!(&=),
        BinOp::BitAndAssign(_) => parse_quote!(|=),
        BinOp::ShrAssign(_) => parse_quote!(<<=),
        BinOp::ShlAssign(_) => parse_quote!(>>=),
        _ => return None,
    })
}

impl Planter<'_> {
    fn ask(&mut self, span: Span, change: String) -> Option<u32> {
        let at = span.start();
        (self.number)(Fault {
            file: self.file.to_owned(),
            line: at.line,
            column: at.column + 1,
            function: self.functions.join("::"),
            change,
        })
    }

    /// Returns the values that a function may return at once, whatever its body says.
    fn early(&mut self, signature: &syn::Signature, block: &mut syn::Block) {
        let (text, value): (&str, Option<Expr>) = match &signature.output {
            ReturnType::Default => ("nothing is done", None),
            ReturnType::Type(_, ty) => match &**ty {
                Type::Path(path) => {
                    let last = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                    match last.as_str() {
                        "bool" => ("true is returned", Some(parse_quote!(true))),
                        "Option" => ("None is returned", Some(parse_quote!(None))),
                        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => ("0 is returned", Some(parse_quote!(0))),
                        _ => return,
                    }
                }
                _ => return,
            },
        };
        if let Some(number) = self.ask(signature.ident.span(), text.to_owned()) {
            let statement: syn::Stmt = match value {
                Some(value) => parse_quote!(if crate::fault_is_on(#number) { return #value; }),
                None => parse_quote!(if crate::fault_is_on(#number) { return; }),
            };
            block.stmts.insert(0, statement);
        }
    }

    /// Returns a condition with a switch that turns it round.
    fn turned(&mut self, condition: &mut Expr, span: Span) {
        if has_let(condition) {
            return;
        }
        // Comparisons have faults of their own.
        if matches!(condition, Expr::Binary(_) | Expr::Unary(_)) {
            return;
        }
        if let Some(number) = self.ask(span, "the condition is turned round".to_owned()) {
            let plain = condition.clone();
            *condition = parse_quote!(((#plain) != crate::fault_is_on(#number)));
        }
    }
}

impl VisitMut for Planter<'_> {
    fn visit_item_mod_mut(&mut self, item: &mut syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit_mut::visit_item_mod_mut(self, item);
        }
    }

    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        if is_for_tests(&item.attrs) || item.sig.constness.is_some() {
            return;
        }
        self.functions.push(item.sig.ident.to_string());
        visit_mut::visit_item_fn_mut(self, item);
        self.early(&item.sig, &mut item.block);
        self.functions.pop();
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        if is_for_tests(&item.attrs) || item.sig.constness.is_some() {
            return;
        }
        self.functions.push(item.sig.ident.to_string());
        visit_mut::visit_impl_item_fn_mut(self, item);
        self.early(&item.sig, &mut item.block);
        self.functions.pop();
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        if is_for_tests(&item.attrs) {
            return;
        }
        let Type::Path(path) = &*item.self_ty else { return visit_mut::visit_item_impl_mut(self, item) };
        let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        // What is printed of a type for programmers decides nothing.
        if item.trait_.as_ref().is_some_and(|(_, path, _)| path.is_ident("Debug")) {
            return;
        }
        self.functions.push(name);
        visit_mut::visit_item_impl_mut(self, item);
        self.functions.pop();
    }

    // Where a value must be known when the program is built, there can be no switch.
    fn visit_item_const_mut(&mut self, _: &mut syn::ItemConst) {}
    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_item_static_mut(&mut self, _: &mut syn::ItemStatic) {}
    fn visit_item_enum_mut(&mut self, _: &mut syn::ItemEnum) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
    fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}

    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_expr_if_mut(&mut self, expr: &mut syn::ExprIf) {
        let span = expr.if_token.span;
        visit_mut::visit_expr_if_mut(self, expr);
        self.turned(&mut expr.cond, span);
    }

    fn visit_expr_while_mut(&mut self, expr: &mut syn::ExprWhile) {
        let span = expr.while_token.span;
        visit_mut::visit_expr_while_mut(self, expr);
        self.turned(&mut expr.cond, span);
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        visit_mut::visit_arm_mut(self, arm);
        if let Some((token, guard)) = &mut arm.guard {
            let span = token.span;
            self.turned(guard, span);
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let planted: Option<Expr> = match expr {
            Expr::Binary(binary) if !has_let(&binary.left) && !has_let(&binary.right) => {
                swapped(&binary.op).and_then(|op| {
                    let span = syn::spanned::Spanned::span(&binary.op);
                    let names = (binary.op.to_token_stream().to_string(), op.to_token_stream().to_string());
                    let number = self.ask(span, format!("{} becomes {}", names.0, names.1))?;
                    let mut other = binary.clone();
                    other.op = op;
                    Some(parse_quote!((if crate::fault_is_on(#number) { #other } else { #binary })))
                })
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_) | UnOp::Neg(_)) => {
                let span = syn::spanned::Spanned::span(&unary.op);
                let inner = unary.expr.clone();
                let name = unary.op.to_token_stream().to_string();
                self.ask(span, format!("{name} is left out"))
                    .map(|number| parse_quote!((if crate::fault_is_on(#number) { #inner } else { #unary })))
            }
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(int) => {
                    let more = int.base10_parse::<u128>().ok().and_then(|value| value.checked_add(1));
                    let more = more.map(|value| syn::LitInt::new(&format!("{value}{}", int.suffix()), int.span()));
                    let span = int.span();
                    more.and_then(|more| {
                        let number = self.ask(span, format!("{int} becomes {more}"))?;
                        Some(parse_quote!((if crate::fault_is_on(#number) { #more } else { #literal })))
                    })
                }
                Lit::Bool(flag) => {
                    let (other, span) = (!flag.value, flag.span);
                    self.ask(span, format!("{} becomes {other}", flag.value))
                        .map(|number| parse_quote!((if crate::fault_is_on(#number) { #other } else { #literal })))
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(planted) = planted {
            *expr = planted;
        }
    }
}
