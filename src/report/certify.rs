//! Certificates for the rows of the balance report.

use super::manifest::Cited;
use super::{BalanceError, BalanceRow, SetupRecord};
use crate::answer::{Answerer, Checked, SolveError};
use crate::certificate::{CertificateError, ProofError, ProofMethod, may_replace, prove};
use crate::files::{Destination, OutputError, sha256_hex};
use crate::material::Side;
use crate::solver::search::Search;
use crate::solver::{Limits, Observer, Stopped};

/// Reasons why a row has no certificates.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The setup cannot be read or started, or the solver failed.
    #[error(transparent)]
    Balance(#[from] BalanceError),
    /// The certificate does not pass the check.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// The certificate proves another value than the row has.
    #[error("the row says {row}, the certificate proves {proven}")]
    OtherValue {
        /// Value given by the row.
        row: String,
        /// Value proven by the certificate.
        proven: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl From<ProofError> for CertifyError {
    fn from(error: ProofError) -> CertifyError {
        match error {
            ProofError::Solve(error) => BalanceError::from(error).into(),
            ProofError::Certificate(error) => error.into(),
        }
    }
}

/// Reasons why a start whose value is known has no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoCertificate {
    /// A winner that was found within the limits takes more to prove.
    #[error("no certificate for {0} to start: {1}; raise the limits")]
    Stopped(Side, Stopped),
    /// Its distance rests on a table that was not derived again in full.
    #[error(
        "no certificate for {0} to start: its table was not checked in full; try `pods prove --exact --tables FOLDER`"
    )]
    TableNotChecked(Side),
}

/// Proves the two values of a row, writes the certificates into a folder and cites them in the row:
/// by strategies, or, where the mirror theorem or the search settles the row, by the choices of a
/// search, as far as the limits go. A certificate that proves more is not replaced. A start with a
/// known distance gets one only if the values of the row were checked in full
/// ([`Checked::Reference`], [`Checked::Rows`]). Says too why a start has none.
///
/// # Errors
///
/// If a certificate does not pass the check or proves another value than the row has, or a file
/// cannot be written.
pub fn certify(
    row: &mut BalanceRow,
    to: Destination<'_>,
    limits: Limits,
    observer: &dyn Observer,
) -> Result<(Vec<Cited>, Vec<NoCertificate>), CertifyError> {
    let setup = row.setup.setup().clone();
    let game = setup.game();
    let mut answerer = Answerer::new(game);
    let (mut cited, mut without) = (Vec::new(), Vec::new());
    for (i, (first, verdict)) in
        [(Side::White, row.white_first()), (Side::Black, row.black_first())].into_iter().enumerate()
    {
        let Some(verdict) = verdict else { continue };
        let root = setup.start(first).map_err(BalanceError::from)?;
        let exact = verdict.plies().is_some();
        let file = file_name(row, first);
        let judge = |head: &[u8]| may_replace(head, game, &root, exact);
        let output = Destination { ..to }.output(&file, &judge)?;
        let by_strategies = matches!(row.verified, Some(Checked::Reference | Checked::Rows));
        let search = if by_strategies || exact { None } else { Search::new(game, limits.memory) };
        let method = match &search {
            _ if by_strategies => ProofMethod::Strategies { exact },
            Some(search) => ProofMethod::Search(search),
            None => {
                without.push(NoCertificate::TableNotChecked(first));
                continue;
            }
        };
        let proof = match prove(&mut answerer, &root, method, limits, observer) {
            Err(ProofError::Solve(SolveError::Stopped(stopped))) => {
                without.push(NoCertificate::Stopped(first, stopped));
                continue;
            }
            made => made?,
        };
        let (bytes, proven) = (proof.bytes, proof.checked.claim);
        let same = (proven.value.name(), proven.plies) == (verdict.outcome().name(), verdict.plies().map(u32::from));
        if !same {
            return Err(CertifyError::OtherValue { row: verdict.to_string(), proven: proven.to_string() });
        }
        output.write_bytes(&bytes)?;
        row.certificates[i] = Some(file.clone());
        cited.push(Cited { file, sha256: sha256_hex(&bytes) });
    }
    Ok((cited, without))
}

/// Characters of a board's or a pod set's name that the name of a file takes over.
const LONGEST_NAME: usize = 60;

/// Returns the file name of a row's certificate: setup and starter, in characters that every file
/// system takes.
fn file_name(row: &BalanceRow, first: Side) -> String {
    let SetupRecord { board, orientation, pods, white_hand: white, black_hand: black, rules } = row.setup.record();
    let hands = if white == black { white } else { format!("{white}-{black}") };
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-+=.".contains(c) { c } else { '_' };
    // Names of boards and pods may be longer than a name of a file.
    let [board, pods] = [board, pods].map(|name| name.chars().take(LONGEST_NAME).collect::<String>());
    let name = format!("{board}-{orientation}-{pods}-{hands}-{rules}-{first}-first.jsonl");
    name.to_lowercase().chars().map(plain).collect()
}
