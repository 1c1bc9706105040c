#include "manifests/yaml_writer.hpp"

#include <yaml.h>

#include <algorithm>
#include <cctype>
#include <new>
#include <stdexcept>
#include <string_view>

#include "manifests/scalar.hpp"
#include "text/text.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::ordered_json;

/// Lines that a block can show as they are, such as a script.
bool is_printable_lines(const std::string& text) {
  return text.find('\n') != std::string::npos && !text.ends_with("\n\n") &&
         std::isgraph(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::all_of(text, [](char c) {
           return c == '\n' || std::isprint(static_cast<unsigned char>(c)) != 0;
         });
}

/// Passes the events of one document to libyaml's emitter.
class Writer {
 public:
  explicit Writer(std::string& to) {
    if (yaml_emitter_initialize(&emitter_) == 0) throw std::bad_alloc();
    yaml_emitter_set_output(&emitter_, append, &to);
    yaml_emitter_set_unicode(&emitter_, 1);
    yaml_emitter_set_width(&emitter_, -1);  // lines are not folded
  }
  ~Writer() { yaml_emitter_delete(&emitter_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void write(const ordered_json& document) {
    emit([](yaml_event_t* event) {
      return yaml_stream_start_event_initialize(event, YAML_UTF8_ENCODING);
    });
    emit([](yaml_event_t* event) {
      return yaml_document_start_event_initialize(event, nullptr, nullptr, nullptr, 1);
    });
    write_value(document);
    emit([](yaml_event_t* event) { return yaml_document_end_event_initialize(event, 1); });
    emit(yaml_stream_end_event_initialize);
  }

 private:
  static int append(void* to, unsigned char* bytes, std::size_t size) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), size);
    return 1;
  }

  /// `make` initializes an event, which the emitter then owns.
  void emit(auto make) {
    yaml_event_t event;
    if (make(&event) == 0) throw std::runtime_error("cannot be written as YAML: is not UTF-8");
    if (yaml_emitter_emit(&emitter_, &event) != 0) return;
    if (emitter_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    throw std::runtime_error(std::string("cannot be written as YAML: ") + emitter_.problem);
  }

  void write_value(const ordered_json& value) {
    switch (value.type()) {
      case ordered_json::value_t::object:
        emit([](yaml_event_t* event) {
          return yaml_mapping_start_event_initialize(event, nullptr, nullptr, 1,
                                                     YAML_BLOCK_MAPPING_STYLE);
        });
        for (const auto& [key, member] : value.items()) {
          write_text(key);
          write_value(member);
        }
        emit(yaml_mapping_end_event_initialize);
        break;
      case ordered_json::value_t::array:
        emit([](yaml_event_t* event) {
          return yaml_sequence_start_event_initialize(event, nullptr, nullptr, 1,
                                                      YAML_BLOCK_SEQUENCE_STYLE);
        });
        for (const ordered_json& entry : value) write_value(entry);
        emit(yaml_sequence_end_event_initialize);
        break;
      case ordered_json::value_t::string:
        write_text(value.get_ref<const std::string&>());
        break;
      default:  // null, numbers and booleans are the same in JSON and YAML
        write_scalar(value.dump(), YAML_PLAIN_SCALAR_STYLE);
    }
  }

  void write_text(const std::string& text) {
    write_scalar(text, is_plain_text(text)        ? YAML_PLAIN_SCALAR_STYLE
                       : is_printable_lines(text) ? YAML_LITERAL_SCALAR_STYLE
                                                  : YAML_DOUBLE_QUOTED_SCALAR_STYLE);
  }

  void write_scalar(const std::string& text, yaml_scalar_style_t style) {
    emit([&](yaml_event_t* event) {
      return yaml_scalar_event_initialize(event, nullptr, nullptr,
                                          reinterpret_cast<const unsigned char*>(text.data()),
                                          static_cast<int>(text.size()), 1, 1, style);
    });
  }

  yaml_emitter_t emitter_{};
};

}  // namespace

bool is_plain_text(const std::string& text) {
  constexpr std::string_view kInside = "-_./:@=+";
  return !text.empty() && (is_alphanumeric(text.front()) || text.front() == '/') &&
         (is_alphanumeric(text.back()) || text.back() == '=') &&
         std::ranges::all_of(text,
                             [&](char c) {
                               return is_alphanumeric(c) ||
                                      kInside.find(c) != std::string_view::npos;
                             }) &&
         is_string_without_quotes(text) && !begins_like_timestamp(text);
}

std::string to_yaml(const ordered_json& document) {
  std::string text;
  Writer(text).write(document);
  return text;
}

std::string to_yaml(const std::vector<ordered_json>& documents) {
  std::string text;
  for (const ordered_json& document : documents) {
    if (!text.empty()) text += "---\n";
    text += to_yaml(document);
  }
  return text;
}

}  // namespace winadmit::manifests
