//! CLEARS: claims instead of whole proposals; endorse and challenge counts; synthesis from the top of both.

use super::super::problem::{Choice, Claim};
use super::{Method, Session, Worked};

/// The registry row.
pub(super) const METHOD: Method = Method {
    name: "CLEARS",
    summary: "proposals are taken apart into claims, the other agents endorse or challenge each; the answer is put together from the most endorsed, without the most challenged",
    work,
};

/// A claim with what the other agents said of it.
#[derive(Clone, Debug)]
pub(super) struct Weighed {
    pub(super) claim: Claim,
    pub(super) endorsed: usize,
    pub(super) challenged: usize,
}

fn work(session: &mut Session<'_>) -> Worked {
    let initials = session.initials(session.proposers);
    let claims: Vec<Vec<Claim>> = initials.iter().map(|content| session.decompose(content)).collect();
    let mut weighed: Vec<Vec<Weighed>> = claims
        .iter()
        .map(|claims| {
            claims.iter().map(|claim| Weighed { claim: claim.clone(), endorsed: 0, challenged: 0 }).collect()
        })
        .collect();
    for judge in 0..initials.len() {
        let name = format!("P{judge}");
        let others: Vec<usize> = (0..initials.len()).filter(|&other| other != judge).collect();
        let shown: Vec<Claim> = others.iter().flat_map(|&other| claims[other].iter().cloned()).collect();
        let verdicts = session.verdicts(&name, &shown);
        let targets = others.iter().flat_map(|&other| (0..claims[other].len()).map(move |at| (other, at)));
        for ((owner, at), believed) in targets.zip(verdicts) {
            let claim = &mut weighed[owner][at];
            claim.endorsed += usize::from(believed);
            claim.challenged += usize::from(!believed);
        }
        let names: Vec<String> = others.iter().map(|other| format!("P{other}")).collect();
        session.say(1, &name, &names, "endorsements and challenges of your claims");
    }
    let weighed: Vec<Weighed> = weighed.into_iter().flatten().collect();
    let choices = select(session, &weighed);
    let shown: Vec<Claim> = weighed.iter().map(|weighed| weighed.claim.clone()).collect();
    let answer = session.synthesise(&choices, &shown);
    Worked::unrevised(initials, answer)
}

/// The choice of each slot. Top-endorsed are the claims with the highest number of endorsements, top-challenged those with the
/// highest number of challenges (at least one), ties kept. A slot goes to the option with most top-endorsed claims less
/// top-challenged ones; at equal weight to the option that more proposals share, then to the earlier one. A slot of which every option
/// weighs below zero is worked out anew.
pub(super) fn select(session: &Session<'_>, weighed: &[Weighed]) -> Vec<Choice> {
    let top_endorsed = weighed.iter().map(|claim| claim.endorsed).max().unwrap_or(0);
    let top_challenged = weighed.iter().map(|claim| claim.challenged).max().unwrap_or(0);
    let mut slots: Vec<usize> = weighed.iter().map(|weighed| weighed.claim.slot).collect();
    slots.sort_unstable();
    slots.dedup();
    let weight = |claim: &Weighed| {
        i64::from(top_endorsed > 0 && claim.endorsed == top_endorsed)
            - i64::from(top_challenged > 0 && claim.challenged == top_challenged)
    };
    let mut choices = Vec::with_capacity(slots.len());
    for slot in slots {
        let here: Vec<&Weighed> = weighed.iter().filter(|weighed| weighed.claim.slot == slot).collect();
        let mut best: Option<((i64, usize), &Weighed)> = None;
        for candidate in &here {
            let same: Vec<&&Weighed> =
                here.iter().filter(|other| other.claim.option == candidate.claim.option).collect();
            let rank = (same.iter().map(|claim| weight(claim)).sum(), same.len());
            if best.as_ref().is_none_or(|(most, _)| rank > *most) {
                best = Some((rank, candidate));
            }
        }
        let Some(((net, _), best)) = best else { continue };
        let fresh = if net < 0 { session.fresh_choice("synthesiser", slot) } else { None };
        choices.push(fresh.unwrap_or_else(|| Choice { slot, option: best.claim.option.clone() }));
    }
    choices
}
