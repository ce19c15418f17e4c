"""Reads messages of OTLP over HTTP, one JSON text a line, with OpenTelemetry's package, and writes their content as JSON.

Usage: read-otlp.py traces|metrics
"""

import json
import sys

from opentelemetry.proto_json.collector.metrics.v1.metrics_service import ExportMetricsServiceRequest
from opentelemetry.proto_json.collector.trace.v1.trace_service import ExportTraceServiceRequest


def texts(attributes):
    return {one.key: one.value.string_value for one in attributes}


def service(resource):
    names = texts(resource.attributes)
    return {name: names[name] for name in ("service.name", "service.version")}


def spans(text):
    for part in ExportTraceServiceRequest.from_json(text).resource_spans:
        for scope in part.scope_spans:
            for span in scope.spans:
                yield {
                    "traceId": span.trace_id.hex(),
                    "spanId": span.span_id.hex(),
                    "parentSpanId": span.parent_span_id.hex(),
                    "name": span.name,
                    "kind": int(span.kind),
                    "attributes": texts(span.attributes),
                    "status": int(span.status.code),
                    "resource": service(part.resource),
                }


def point_of(point):
    return {
        "attributes": texts(point.attributes),
        "start": int(point.start_time_unix_nano or 0),
        "time": int(point.time_unix_nano),
    }


def metrics(text):
    for part in ExportMetricsServiceRequest.from_json(text).resource_metrics:
        for scope in part.scope_metrics:
            for metric in scope.metrics:
                if metric.histogram is not None:
                    assert int(metric.histogram.aggregation_temporality) == 2, metric.name
                    points = [
                        point_of(point)
                        | {
                            "count": int(point.count),
                            "sum": point.sum,
                            "buckets": [int(count) for count in point.bucket_counts],
                            "bounds": list(point.explicit_bounds),
                        }
                        for point in metric.histogram.data_points
                    ]
                    kind = "histogram"
                elif metric.sum is not None:
                    assert metric.sum.is_monotonic and int(metric.sum.aggregation_temporality) == 2, metric.name
                    points = [point_of(point) | {"value": point.as_double} for point in metric.sum.data_points]
                    kind = "sum"
                else:
                    points = [point_of(point) | {"value": point.as_double} for point in metric.gauge.data_points]
                    kind = "gauge"
                yield {
                    "name": metric.name,
                    "unit": metric.unit,
                    "type": kind,
                    "points": points,
                    "resource": service(part.resource),
                }


read = {"traces": spans, "metrics": metrics}[sys.argv[1]]
json.dump([one for line in sys.stdin for one in read(line)], sys.stdout)
