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

// reviewRecorder stands between the API server and a winadmit. It passes every byte on and keeps
// the reviews, so that a test sees the object that was judged.
type reviewRecorder struct {
	*httptest.Server
	t       *testing.T
	behind  string
	mutex   sync.Mutex
	reviews []recordedReview
}

type recordedReview struct {
	path    string // without the query
	request Object
}

// recordReviews starts a recorder before the server, with the certificate of that server.
func recordReviews(t *testing.T, server *cluster.Winadmit) *reviewRecorder {
	t.Helper()
	folder := filepath.Dir(server.CAFile)
	pair, err := tls.LoadX509KeyPair(filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
	if err != nil {
		t.Fatal(err)
	}
	r := &reviewRecorder{t: t, behind: server.URL}
	r.Server = httptest.NewUnstartedServer(r)
	r.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

// redirect makes a webhook configuration of the server behind it ask the recorder.
func (r *reviewRecorder) redirect(configuration Object) {
	_, port, _ := strings.Cut(r.Listener.Addr().String(), ":")
	for _, webhook := range configuration["webhooks"].([]any) {
		client := webhook.(Object)["clientConfig"].(Object)
		client["url"] = strings.Replace(client["url"].(string), r.behind, "https://localhost:"+port, 1)
	}
}

func (r *reviewRecorder) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	review, _ := exactly(r.t, body)["request"].(Object)
	r.mutex.Lock()
	r.reviews = append(r.reviews, recordedReview{request.URL.Path, review})
	r.mutex.Unlock()
	answer, err := direct.Post(r.behind+request.RequestURI, request.Header.Get("Content-Type"), bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	w.Header().Set("Content-Type", answer.Header.Get("Content-Type"))
	w.WriteHeader(answer.StatusCode)
	io.Copy(w, answer.Body)
}

func (r *reviewRecorder) forget() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.reviews = nil
}

// of are the reviews of pods that were to be created in a namespace, since forget.
func (r *reviewRecorder) of(namespace string) []recordedReview {
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

// judgedObject is the object of the last review on a path that validates.
func judgedObject(reviews []recordedReview) Object {
	var judged Object
	for _, review := range reviews {
		if strings.HasPrefix(review.path, "/validate") {
			judged, _ = review.request["object"].(Object)
		}
	}
	return judged
}
