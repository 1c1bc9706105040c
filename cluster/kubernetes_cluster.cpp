#include "cluster/kubernetes_cluster.hpp"

#include "bytes/base64.hpp"
#include "cluster/answer.hpp"
#include "text/text.hpp"

namespace winadmit::cluster {
namespace {

using nlohmann::json;

const std::string kMutating = "MutatingWebhookConfiguration";
const std::string kValidating = "ValidatingWebhookConfiguration";

std::string secrets_path(const std::string& name_space) {
  return "/api/v1/namespaces/" + name_space + "/secrets";
}

std::string path_of(const std::string& kind, const std::string& name) {
  std::string resource = kind + "s";
  for (char& c : resource) c = to_ascii_lower(c);
  return "/apis/admissionregistration.k8s.io/v1/" + resource + "/" + name;
}

std::string version_of(const json& object) {
  return object.at("metadata").value("resourceVersion", "");
}

/// The port of that name, or the only one; 0 if there is neither.
int port_of(const json& slice, const std::string& name) {
  const json& ports = list_of(slice, "ports");
  for (const json& port : ports)
    if (port.value("name", "") == name) return port.value("port", 0);
  return ports.size() == 1 ? ports.front().value("port", 0) : 0;
}

/// A missing condition counts as ready, as the API documents it.
bool is_ready(const json& endpoint) {
  const auto conditions = endpoint.find("conditions");
  return conditions == endpoint.end() || !conditions->contains("ready") ||
         conditions->at("ready") != false;
}

/// What to do if the permissions were removed.
std::string advice_on(const Response& response) {
  if (response.status != 403) return "";
  return "; apply the manifests, or run helm upgrade, first: they contain the permissions of the "
         "Job; then run the Job again";
}

}  // namespace

json KubernetesCluster::get(const std::string& path) const {
  Response response = client_.send("GET", path);
  if (response.status == 404) return nullptr;
  if (response.status != 200 || !response.body.is_object())
    throw Error("GET " + path + ": " + Client::error_message(response) + advice_on(response));
  return std::move(response.body);
}

bool KubernetesCluster::change(const std::string& method, const std::string& path, const json& body,
                               const std::string& content_type) const {
  const Response response = client_.send(method, path, body, content_type);
  if (response.status == 409 || (method == "PATCH" && response.status == 404)) return false;
  if (response.status != 200 && response.status != 201)
    throw Error(method + " " + path + ": " + Client::error_message(response) +
                (method == "PATCH" ? advice_on(response) : ""));
  return true;
}

Secret KubernetesCluster::read_secret(const std::string& name) const {
  const std::string path = secrets_path(objects_.name_space) + "/" + name;
  const json object = get(path);
  if (object.is_null()) return {};
  if (object.value("kind", json()) != "Secret")
    throw Error("GET " + path + ": unexpected answer: it is no Secret");
  const auto value = [&](const char* key) {
    const auto data = object.find("data");
    if (data == object.end() || !data->is_object()) return std::string();
    return from_base64(data->value(key, "")).value_or("");
  };
  return read_answer("GET " + path, [&] {
    return Secret{.ca_crt = value("ca.crt"),
                  .ca_key = value("ca.key"),
                  .tls_crt = value("tls.crt"),
                  .tls_key = value("tls.key"),
                  .version = version_of(object)};
  });
}

Secret KubernetesCluster::read_secret() { return read_secret(objects_.secret); }

std::string KubernetesCluster::read_other_cas() {
  if (objects_.other_secret.empty()) return {};
  const Secret other = read_secret(objects_.other_secret);
  if (other.ca_crt.empty()) {
    throw Error("Secret " + objects_.name_space + "/" + objects_.other_secret +
                " has no ca.crt (yet): nothing was changed");
  }
  return other.ca_crt;
}

bool KubernetesCluster::write(const Secret& secret) {
  json object = {{"data",
                  {{"ca.crt", to_base64(secret.ca_crt)},
                   {"ca.key", to_base64(secret.ca_key)},
                   {"tls.crt", to_base64(secret.tls_crt)},
                   {"tls.key", to_base64(secret.tls_key)}}}};
  const std::string path = secrets_path(objects_.name_space);
  if (!secret.version.empty()) {
    object["metadata"]["resourceVersion"] = secret.version;
    return change("PATCH", path + "/" + objects_.secret, object, "application/merge-patch+json");
  }
  object["apiVersion"] = "v1";
  object["kind"] = "Secret";
  object["type"] = "kubernetes.io/tls";
  object["metadata"] = {{"name", objects_.secret},
                        {"labels", {{"app.kubernetes.io/managed-by", "winadmit"}}}};
  try {
    return change("POST", path, object, "application/json");
  } catch (const Error& error) {
    throw Error("Secret " + objects_.name_space + "/" + objects_.secret +
                " does not exist and cannot be created. Apply the manifests, or run helm upgrade, "
                "first: they contain the empty Secret. Then run the Job again. " +
                error.what());
  }
}

void KubernetesCluster::set_deadline(Deadline deadline) {
  deadline_ = deadline;
  client_.set_deadline(deadline);
}

WebhookConfiguration KubernetesCluster::read_webhooks(const std::string& kind,
                                                      const std::string& name) const {
  WebhookConfiguration read{.kind = kind, .name = name, .ca_bundles = {}, .version = {}};
  const std::string path = path_of(kind, name);
  const json object = get(path);
  if (object.is_null()) return read;
  read_answer("GET " + path, [&] {
    read.version = version_of(object);
    for (const json& webhook : list_of(object, "webhooks")) {
      const std::string bundle = webhook.at("clientConfig").value("caBundle", "");
      read.ca_bundles.push_back(from_base64(bundle).value_or(""));
    }
  });
  return read;
}

std::vector<WebhookConfiguration> KubernetesCluster::read_webhooks() {
  std::vector<WebhookConfiguration> all;
  all.reserve(objects_.mutating.size() + objects_.validating.size());
  for (const std::string& name : objects_.mutating) all.push_back(read_webhooks(kMutating, name));
  for (const std::string& name : objects_.validating)
    all.push_back(read_webhooks(kValidating, name));
  return all;
}

bool KubernetesCluster::write(const WebhookConfiguration& webhooks) {
  // With the resourceVersion, a patch of an object that has changed is a conflict: the indexes are
  // right.
  json patch = json::array(
      {{{"op", "replace"}, {"path", "/metadata/resourceVersion"}, {"value", webhooks.version}}});
  for (std::size_t i = 0; i < webhooks.ca_bundles.size(); ++i) {
    patch.push_back({{"op", "add"},
                     {"path", "/webhooks/" + std::to_string(i) + "/clientConfig/caBundle"},
                     {"value", to_base64(webhooks.ca_bundles[i])}});
  }
  return change("PATCH", path_of(webhooks.kind, webhooks.name), patch,
                "application/json-patch+json");
}

std::vector<Replica> KubernetesCluster::read_replicas() {
  const std::string path = "/apis/discovery.k8s.io/v1/namespaces/" + objects_.name_space +
                           "/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3D" +
                           objects_.service;
  const json slices = get(path);
  std::vector<Replica> replicas;
  read_answer("GET " + path, [&] {
    for (const json& slice : list_of(slices, "items")) {
      const std::string port = std::to_string(port_of(slice, objects_.port_name));
      for (const json& endpoint : list_of(slice, "endpoints")) {
        const json& addresses = list_of(endpoint, "addresses");
        if (addresses.empty()) continue;
        const std::string address = addresses.front().get<std::string>();
        replicas.push_back({.address = address,
                            .ready = is_ready(endpoint),
                            .sha256 = served_sha256(address, port, deadline_)});
      }
    }
  });
  return replicas;
}

}  // namespace winadmit::cluster
