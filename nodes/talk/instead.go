package talk

import "annai/nlu"

// statesInstead reports whether what is asked is written of another option that is nearly as likely, and not
// of the likeliest one, which the words do not name.
func statesInstead(r nlu.Reading, best, other Option) bool {
	sure := r.Asks == nil || r.Asks[r.Ask] >= leastSureInstead
	named := best.near.Strength > 0 || best.Subject.Kind == Event && best.features[featureShared] > 0
	if !sure || named || best.Kept && isShort(r) {
		return false
	}
	return !best.near.States && other.near.States && other.near.Alone >= best.near.Alone
}

// leastSureInstead is how likely the kind of answer has to be for that.
const leastSureInstead = 0.5
