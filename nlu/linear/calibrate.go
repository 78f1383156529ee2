package linear

// Calibrate makes a model say how sure it is as it is right: it is as sure as makes the held-out
// examples, which it has not learnt, most probable. group names what a label counts as; a mistake
// within a group is none. It returns the factor by which the scores were multiplied, which
// [Model.Temper] takes.
func (m *Model) Calibrate(heldOut []Example, group func(label string) string) float32 {
	var scored []scores
	for _, e := range heldOut {
		z := scores{z: make([]float32, len(m.labels)), right: make([]bool, len(m.labels))}
		m.raw(e.Text, z.z)
		for i, label := range m.labels {
			z.right[i] = group(label) == group(e.Label)
		}
		scored = append(scored, z)
	}
	best, least := float32(1), float32(0)
	for step := 4; step <= 60; step++ { // 0.2 to 3
		factor := float32(step) / 20
		if loss := surprise(scored, factor); step == 4 || loss < least {
			best, least = factor, loss
		}
	}
	m.Temper(best)
	return best
}

// scores are those of an example, with the labels that are right.
type scores struct {
	z     []float32
	right []bool
}

// surprise is the mean Brier score of the right labels' probability: the square of what is missing to certainty.
func surprise(examples []scores, factor float32) float32 {
	sum := float32(0)
	var p []float32
	for _, e := range examples {
		p = p[:0]
		for _, z := range e.z {
			p = append(p, float32(z*factor))
		}
		softmax(p)
		missing := float32(1)
		for i, right := range e.right {
			if right {
				missing -= p[i]
			}
		}
		sum += float32(missing * missing)
	}
	return sum / float32(len(examples))
}

// Temper multiplies all scores by a factor: above one the model is surer.
func (m *Model) Temper(factor float32) {
	for i := range m.labels {
		m.scale[i] *= factor
		m.bias[i] *= factor
	}
}
