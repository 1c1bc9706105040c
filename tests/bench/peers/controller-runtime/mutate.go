package main

import (
	"context"
	"encoding/json"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type mutator struct {
	decoder admission.Decoder
}

var taint = corev1.Taint{Key: "os", Value: "Win1809", Effect: corev1.TaintEffectNoSchedule}

func (m *mutator) Handle(_ context.Context, req admission.Request) admission.Response {
	pod := &corev1.Pod{}
	if err := m.decoder.Decode(req, pod); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	if !targetsWindows(pod) {
		return admission.Allowed("")
	}
	place(pod)
	placed, err := json.Marshal(pod)
	if err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	return admission.PatchResponseFromRaw(req.Object.Raw, placed)
}

func place(pod *corev1.Pod) {
	_, stable := pod.Spec.NodeSelector[corev1.LabelOSStable]
	_, beta := pod.Spec.NodeSelector["beta.kubernetes.io/os"]
	if !stable && !beta {
		if pod.Spec.NodeSelector == nil {
			pod.Spec.NodeSelector = map[string]string{}
		}
		pod.Spec.NodeSelector[corev1.LabelOSStable] = "windows"
	}
	for i := range pod.Spec.Tolerations {
		if pod.Spec.Tolerations[i].ToleratesTaint(&taint) {
			return
		}
	}
	pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{
		Key: taint.Key, Operator: corev1.TolerationOpEqual, Value: taint.Value, Effect: taint.Effect,
	})
}
