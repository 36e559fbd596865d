//! Names of points, directions and sides that are none.

/// The reason why a text is not the name of something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:?} is no {what}", crate::files::shortened(.name))]
pub struct NameError {
    name: String,
    what: &'static str,
}

impl NameError {
    /// Says of a text that it is no `what`.
    pub(crate) fn new(name: &str, what: &'static str) -> NameError {
        NameError { name: name.to_owned(), what }
    }
}
