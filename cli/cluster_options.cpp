#include "cli/cluster_options.hpp"

#include <stdexcept>

namespace winadmit::cli {

void ClusterOptions::add_to(CLI::App& command) {
  command.add_flag("--in-cluster", in_cluster,
                   "Use the API server and the service account of the pod");
  command.add_option("--server", server, "Use this API server")->type_name("URL");
  command.add_option("--token-file", token_file, "Bearer token for --server")->type_name("FILE");
  command.add_option("--ca-file", ca_file, "CAs of --server (PEM)")->type_name("FILE");
}

cluster::ClientConfig ClusterOptions::load() const {
  if (in_cluster == !server.empty())
    throw std::invalid_argument("give either --in-cluster or --server");
  if (in_cluster) return cluster::in_cluster_config();
  if (token_file.empty() || ca_file.empty())
    throw std::invalid_argument("--server needs --token-file and --ca-file");
  cluster::ClientConfig config = cluster::parse_server_url(server);
  config.token_file = token_file;
  config.ca_file = ca_file;
  return config;
}

}  // namespace winadmit::cli
