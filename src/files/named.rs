//! Enums whose variants have names.

/// Declares an enum with a name for each variant, which is also its text.
macro_rules! named {
    ($(#[$meta:meta])* $vis:vis enum $enum:ident { $($(#[$doc:meta])+ $variant:ident = $name:literal,)+ }) => {
        $(#[$meta])*
        $vis enum $enum {
            $($(#[$doc])+ $variant,)+
        }

        impl $enum {
            /// Returns the name, as in reports and files.
            #[must_use]
            $vis const fn name(self) -> &'static str {
                match self {
                    $($enum::$variant => $name,)+
                }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(crate) use named;
