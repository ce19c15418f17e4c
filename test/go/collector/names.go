package main

import (
	"fmt"
	"io"
	"os"

	"github.com/prometheus/otlptranslator"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Prometheus's types of OpenTelemetry's metrics, as the proxy sends them: sums only grow, and are cumulative.
var types = map[pmetric.MetricType]otlptranslator.MetricType{
	pmetric.MetricTypeGauge:     otlptranslator.MetricTypeGauge,
	pmetric.MetricTypeSum:       otlptranslator.MetricTypeMonotonicCounter,
	pmetric.MetricTypeHistogram: otlptranslator.MetricTypeHistogram,
}

// printNames reads one message with metrics (OTLP in JSON) from standard input and prints the name that Prometheus gives
// to each, by Prometheus's own rules.
func printNames() error {
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	read, err := (&pmetric.JSONUnmarshaler{}).UnmarshalMetrics(body)
	if err != nil {
		return err
	}
	namer := otlptranslator.NewMetricNamer("", otlptranslator.UnderscoreEscapingWithSuffixes)
	for _, resource := range read.ResourceMetrics().All() {
		for _, scope := range resource.ScopeMetrics().All() {
			for _, metric := range scope.Metrics().All() {
				name, err := namer.Build(otlptranslator.Metric{Name: metric.Name(), Unit: metric.Unit(), Type: types[metric.Type()]})
				if err != nil {
					return err
				}
				fmt.Println(name)
			}
		}
	}
	return nil
}
