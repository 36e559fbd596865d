//! Numbers of ways to choose, and all ways to choose a part of a multiset.

/// Returns every part of a multiset, by rising mixed-radix number, the first piece type counting
/// least.
pub(super) fn multisets(most: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![vec![0; most.len()]];
    for (piece_type, &count) in most.iter().enumerate() {
        let smaller = all.clone();
        for n in 1..=count {
            all.extend(smaller.iter().map(|set| {
                let mut set = set.clone();
                set[piece_type] = n;
                set
            }));
        }
    }
    all
}

/// Returns `n` over `k`; saturates.
pub(super) fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    let ways = (0..k).try_fold(1_u128, |ways, i| ways.checked_mul((n - i) as u128).map(|w| w / (i as u128 + 1)));
    ways.and_then(|w| u64::try_from(w).ok()).unwrap_or(u64::MAX)
}
