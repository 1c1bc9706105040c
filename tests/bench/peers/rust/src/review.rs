//! From the bytes of an AdmissionReview to the bytes of the response.

use json_patch::jsonptr::PointerBuf;
use json_patch::{AddOperation, Patch, PatchOperation};
use k8s_openapi::api::core::v1::{Pod, Toleration};
use kube_core::admission::{AdmissionRequest, AdmissionResponse, AdmissionReview};
use kube_core::response::{StatusDetails, StatusSummary};
use serde_json::{json, Value};

use crate::target::{targets_windows, BETA_OS, STABLE_OS};
use crate::validate::causes;

pub type Judge = fn(&Pod, AdmissionResponse) -> Option<AdmissionResponse>;

/// None if the bytes are not a review of a pod.
pub fn reply(body: &[u8], judge: Judge) -> Option<Vec<u8>> {
    let review: AdmissionReview<Pod> = serde_json::from_slice(body).ok()?;
    let request: AdmissionRequest<Pod> = review.try_into().ok()?;
    let response = AdmissionResponse::from(&request);
    let response = match &request.object {
        Some(pod) if targets_windows(pod) => judge(pod, response)?,
        _ => response,
    };
    serde_json::to_vec(&response.into_review()).ok()
}

pub fn validate(pod: &Pod, response: AdmissionResponse) -> Option<AdmissionResponse> {
    let causes = causes(pod);
    let Some(first) = causes.first() else {
        return Some(response);
    };
    let message = first.message.clone();
    let mut response = response.deny(message);
    response.result.status = Some(StatusSummary::Failure);
    response.result.code = 403;
    response.result.reason = "Forbidden".to_owned();
    response.result.details = Some(StatusDetails {
        name: String::new(),
        group: String::new(),
        kind: String::new(),
        uid: String::new(),
        causes,
        retry_after_seconds: 0,
    });
    Some(response)
}

pub fn mutate(pod: &Pod, response: AdmissionResponse) -> Option<AdmissionResponse> {
    let operations = placement(pod)?;
    if operations.is_empty() {
        return Some(response);
    }
    response.with_patch(Patch(operations)).ok()
}

fn placement(pod: &Pod) -> Option<Vec<PatchOperation>> {
    let mut operations = Vec::new();
    let spec = pod.spec.as_ref()?;
    match &spec.node_selector {
        None => operations.push(add("/spec/nodeSelector", json!({ STABLE_OS: "windows" }))?),
        Some(labels) if !labels.contains_key(STABLE_OS) && !labels.contains_key(BETA_OS) => {
            operations.push(add("/spec/nodeSelector/kubernetes.io~1os", json!("windows"))?);
        }
        Some(_) => {}
    }
    let taint = json!({"key": "os", "operator": "Equal", "value": "Win1809", "effect": "NoSchedule"});
    match &spec.tolerations {
        None => operations.push(add("/spec/tolerations", json!([taint]))?),
        Some(tolerations) if !tolerations.iter().any(tolerates_taint) => {
            operations.push(add("/spec/tolerations/-", taint)?);
        }
        Some(_) => {}
    }
    Some(operations)
}

/// The semantics of Kubernetes: an empty key or effect matches all, an empty operator is Equal.
fn tolerates_taint(toleration: &Toleration) -> bool {
    let text = |field: &Option<String>| field.clone().unwrap_or_default();
    let effect = text(&toleration.effect);
    let key = text(&toleration.key);
    if (!effect.is_empty() && effect != "NoSchedule") || (!key.is_empty() && key != "os") {
        return false;
    }
    match text(&toleration.operator).as_str() {
        "Exists" => true,
        "" | "Equal" => key == "os" && text(&toleration.value) == "Win1809",
        _ => false,
    }
}

fn add(path: &str, value: Value) -> Option<PatchOperation> {
    let path = PointerBuf::parse(path).ok()?;
    Some(PatchOperation::Add(AddOperation { path, value }))
}
