package cluster

import (
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
)

// Injector is a mutating webhook in this process, such as a service mesh has. Close stops it.
type Injector struct {
	*httptest.Server
	dir string
}

// StartInjector starts a webhook that responds to each review with the patch that mutate returns for its object, if any. Its
// certificates are written into dir.
func StartInjector(dir string, mutate func(pod Object) (patch []Object)) (*Injector, error) {
	if err := IssuePair(dir, "localhost"); err != nil {
		return nil, err
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key"))
	if err != nil {
		return nil, err
	}
	server := httptest.NewUnstartedServer(mutatingHandler(mutate))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	server.StartTLS()
	return &Injector{server, dir}, nil
}

// Configuration returns a configuration that calls the webhook for the creation of every pod, and again if another one
// changed the pod. The API server calls configurations in the order of their names.
func (i *Injector) Configuration(name string) (Object, error) {
	_, port, _ := net.SplitHostPort(i.Listener.Addr().String())
	configuration, err := PodWebhook("Mutating", name, "https://localhost:"+port+"/", i.dir)
	if err != nil {
		return nil, err
	}
	configuration["webhooks"].([]any)[0].(Object)["reinvocationPolicy"] = "IfNeeded"
	return configuration, nil
}

func mutatingHandler(mutate func(pod Object) (patch []Object)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var review Object
		json.NewDecoder(r.Body).Decode(&review)
		response := Object{"uid": At(review, "request", "uid"), "allowed": true}
		if patch := mutate(At(review, "request", "object").(Object)); patch != nil {
			operations, _ := json.Marshal(patch)
			response["patchType"], response["patch"] = "JSONPatch", base64.StdEncoding.EncodeToString(operations)
		}
		review["response"] = response
		delete(review, "request")
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(review)
	}
}
