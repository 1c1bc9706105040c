// The floor of `winadmit check` on YAML: libyaml reads a file as events, and nothing is done with
// them. Prints the number of documents.
#include <yaml.h>

#include <cstdio>
#include <memory>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(argv[1], "rb"),
                                                             std::fclose);
  yaml_parser_t parser;
  if (!file || yaml_parser_initialize(&parser) == 0) return 2;
  yaml_parser_set_input_file(&parser, file.get());
  long documents = 0;
  int exit_code = 0;
  for (bool is_open = true; is_open;) {
    yaml_event_t event;
    if (yaml_parser_parse(&parser, &event) == 0) {
      exit_code = 1;
      break;
    }
    if (event.type == YAML_DOCUMENT_START_EVENT) ++documents;
    is_open = event.type != YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  std::printf("%ld\n", documents);
  return exit_code;
}
