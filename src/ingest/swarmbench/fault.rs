//! How the end of a file becomes a finding.

use crate::finding::{Findings, Place, Subject, input_rules};
use crate::ingest::json::StreamEnd;

/// Reports an irregular end.
pub(super) fn report(end: &StreamEnd, subject: &Subject, findings: &mut Findings) {
    let (rule, at, message) = match end {
        StreamEnd::Closed => return,
        StreamEnd::Cut { at } => (
            &input_rules::FILE_CUT,
            *at,
            format!("the whole records end at byte {at}; what follows is incomplete"),
        ),
        StreamEnd::Damaged { at, expected } => {
            (&input_rules::FILE_DAMAGED, *at, format!("expected {expected} at byte {at}"))
        }
        StreamEnd::TooDeep { at } => (&input_rules::NESTED_TOO_DEEP, *at, format!("too deep at byte {at}")),
        StreamEnd::TooLong { at } => (&input_rules::RECORD_TOO_LONG, *at, format!("the record at byte {at}")),
        StreamEnd::Failed { at, what } => {
            (&input_rules::FILE_UNREADABLE, *at, format!("{what} after byte {at}"))
        }
    };
    findings.add(rule, subject, Some(Place::Byte(at)), message);
}
