//! Intervals as pictures.

use maud::{Markup, html};

use crate::statistics::Interval;

/// Returns a share as a dot on a line from 0 to 100 %, and its interval as a line.
pub(crate) fn picture(interval: Option<Interval>, share: Option<f64>) -> Markup {
    let x = |share: f64| format!("{:.1}", 6.0 + 188.0 * share);
    html! {
        svg class="interval" viewBox="0 0 200 22" aria-hidden="true" {
            path class="grid" d=(format!("M6 2V20M{} 2V20M194 2V20", x(0.5))) {}
            @if let Some(interval) = interval {
                line class="solved" x1=(x(interval.low)) x2=(x(interval.high)) y1="11" y2="11" {}
            }
            @if let Some(share) = share {
                circle class="share" cx=(x(share)) cy="11" r="4.6" {}
            }
        }
    }
}
