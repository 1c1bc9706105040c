package e2e

import (
	"bytes"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// reviewRecorder is a proxy between the API server and a winadmit. It records the reviews, so that a test sees the
// object that was judged.
type reviewRecorder struct {
	*httptest.Server
	t       *testing.T
	server  string // URL of the winadmit behind it
	mutex   sync.Mutex
	reviews []recordedReview
}

type recordedReview struct {
	path    string // without the query
	request Object
}

// recordReviews starts a recorder for a server, with the certificate of that server.
func recordReviews(t *testing.T, server *cluster.Winadmit) *reviewRecorder {
	t.Helper()
	folder := filepath.Dir(server.CAFile)
	pair, err := tls.LoadX509KeyPair(filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
	if err != nil {
		t.Fatal(err)
	}
	r := &reviewRecorder{t: t, server: server.URL}
	r.Server = httptest.NewUnstartedServer(r)
	r.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

// redirect makes a webhook configuration of the server call the recorder.
func (r *reviewRecorder) redirect(configuration Object) {
	_, port, _ := strings.Cut(r.Listener.Addr().String(), ":")
	for _, webhook := range configuration["webhooks"].([]any) {
		client := webhook.(Object)["clientConfig"].(Object)
		client["url"] = strings.Replace(client["url"].(string), r.server, "https://localhost:"+port, 1)
	}
}

func (r *reviewRecorder) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	review, _ := parseExactly(r.t, body)["request"].(Object)
	r.mutex.Lock()
	r.reviews = append(r.reviews, recordedReview{request.URL.Path, review})
	r.mutex.Unlock()
	answer, err := direct.Post(r.server+request.RequestURI, request.Header.Get("Content-Type"), bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	w.Header().Set("Content-Type", answer.Header.Get("Content-Type"))
	w.WriteHeader(answer.StatusCode)
	io.Copy(w, answer.Body)
}

// reset removes the recorded reviews.
func (r *reviewRecorder) reset() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.reviews = nil
}

// creations returns the recorded reviews of pods that were created in a namespace.
func (r *reviewRecorder) creations(namespace string) []recordedReview {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var some []recordedReview
	for _, review := range r.reviews {
		if text(review.request, "namespace") == namespace && text(review.request, "operation") == "CREATE" &&
			text(review.request, "kind", "kind") == "Pod" {
			some = append(some, review)
		}
	}
	return some
}

// judgedObject returns the object of the last validating review.
func judgedObject(reviews []recordedReview) Object {
	var judged Object
	for _, review := range reviews {
		if strings.HasPrefix(review.path, "/validate") {
			judged, _ = review.request["object"].(Object)
		}
	}
	return judged
}
