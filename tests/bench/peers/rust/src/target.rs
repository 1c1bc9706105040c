//! Whether a pod requires a Windows node.

use k8s_openapi::api::core::v1::{Affinity, NodeSelectorTerm, Pod, PodSpec};

pub const STABLE_OS: &str = "kubernetes.io/os";
pub const BETA_OS: &str = "beta.kubernetes.io/os";

pub fn targets_windows(pod: &Pod) -> bool {
    let Some(spec) = &pod.spec else {
        return false;
    };
    if let Some(os) = &spec.os {
        return os.name == "windows";
    }
    let selector = spec.node_selector.as_ref();
    if let Some(os) = selector.and_then(|labels| labels.get(STABLE_OS).or_else(|| labels.get(BETA_OS))) {
        return os == "windows";
    }
    spec.affinity.as_ref().is_some_and(affinity_is_windows) || has_windows_options(spec)
}

fn has_windows_options(spec: &PodSpec) -> bool {
    let of_pod = spec
        .security_context
        .as_ref()
        .is_some_and(|security| security.windows_options.is_some());
    of_pod
        || spec.containers.iter().any(|container| {
            let security = container.security_context.as_ref();
            security.is_some_and(|security| security.windows_options.is_some())
        })
}

fn affinity_is_windows(affinity: &Affinity) -> bool {
    let node = affinity.node_affinity.as_ref();
    let required = node.and_then(|node| node.required_during_scheduling_ignored_during_execution.as_ref());
    required.is_some_and(|required| {
        let terms = &required.node_selector_terms;
        !terms.is_empty() && terms.iter().all(term_is_windows)
    })
}

fn term_is_windows(term: &NodeSelectorTerm) -> bool {
    term.match_expressions.iter().flatten().any(|expression| {
        expression.key == STABLE_OS
            && expression.operator == "In"
            && expression.values.as_deref().is_some_and(|values| values == ["windows"])
    })
}
