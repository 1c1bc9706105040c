"""Sets of values for the tests of the chart."""

PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"

# {name: values}. Together they change every part of the chart.
SETS = {
    "defaults": {},
    "cert-manager": {"certManager": {"enabled": True}},
    "own issuer": {"certManager": {"enabled": True, "issuerRef": {"kind": "ClusterIssuer", "name": "corp"}}},
    "own Secret": {"existingSecret": "mine", "caBundle": PEM},
    "observability": {"serviceMonitor": {"enabled": True}, "prometheusRule": {"enabled": True},
                              "grafanaDashboard": {"enabled": True}},
    "autoscaled": {"autoscaling": {"enabled": True, "minReplicas": 3}},
    "minimal": {"networkPolicy": {"enabled": False}, "podDisruptionBudget": {"enabled": False},
                            "priorityClassName": "", "replicaCount": 1, "webhookLabels": {"a": "b"}},
    "names": {"fullnameOverride": "x" * 60, "serviceAccount": {"name": "theirs"}},
    "labels": {"commonLabels": {"team": "a"}, "commonAnnotations": {"note": "b"}, "podLabels": {"mesh": "off"},
               "podAnnotations": {"scrape": "no"}},
    "scheduling": {"tolerations": [{"operator": "Exists"}], "affinity": {"nodeAffinity": {}},
                   "topologySpreadConstraints": [{"topologyKey": "rack", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}]},
    "image": {"image": {"repository": "registry.example/winadmit", "digest": "sha256:" + "0" * 64},
              "imagePullSecrets": [{"name": "pull"}]},
    "platform": {"platform": "gke"},
    "configuration": {"config": {"kubernetesVersion": "1.29"}, "extraArgs": ["--max-body=1000000"], "threads": 4},
}
