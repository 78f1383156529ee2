package talk

import (
	"slices"

	"annai/nlu"
)

// A feature is one of the numbers that describe an option to what chooses: its place among them. An option of a
// subject has those of subjects, one of a kind that is no single subject those of wholes, and 0 for the others.
type feature int

// The features of subjects.
const (
	featureSubject feature = iota
	featureKept
	featureScore
	featureBehind
	featureBefore
	featureStrength
	featureJoint
	featureCosine
	featureBM25
	featureStrong
	featureStates
	featureTitled
	featureShared
	featureUnshared
	featureWords
	featureForeign
	featureEvent
	featurePassage
	featurePart
	featureLast
	featureEarlier
	featureOlder
	featureListed
	featureShown
	featurePicked
	featureLastSameAsk
	featureLastShort
	featureLastAdds
	featureLastListed
	featureUnlisted
	featureKeptChanges
	featureKeptBare
	featureScoreBare
	featureNamed
	featureScoreNamed
	featureBehindNamed
	featureKeptNamed
	featureTitledNamed
	featureAbout
	featureCovered
	featureFirstTurn
	featureStatesFirst
	featureRefLast
	featureLastRef
	featureRefEarlier
	featureEarlierRef
	featureRefItem
	featureInTalk
	featureAlone
	featureKeptAlone
	featureViewRef
	featureRefNone
)

// The features of subjects beside the other options.
const (
	featureKeptBeside feature = iota + featureRefNone + 1
	featureKeptBesideStates
	featureSilentBesideStates
	featureNewBeside
	featureNewBesideStates
	featureNewAloneStates
	featureFirst
	featureLessCovered
	featureInTalkBehind
	featureAloneBehind
	featureKeptBesideAlone
	featureCosineBehind
	featureJointBehind
	featureBM25Behind
)

// The features of wholes. Behind them come those that each whole has, and then for each kind of subject, and
// each whole, how likely each group of kinds of answers is asked of it.
const (
	featureWholeAbout feature = iota + featureBM25Behind + 1
	featureWholeSame
	featureWholeTimeSame
	featureWholeBare
	featureWholeNamed
	featureWholeBest
	featureWholeStrongest
	featureWholeNone
	featureWholeNoneAlone
	featureWholeInTalk
	featureWholeAlone
	featureWholeKept
	featureVenueTime
	featureEventsTime
	featureVenueOpen
	featureEventsAsks
	featuresNamed
)

// wholes are the kinds of what is no single subject.
var wholes = []nlu.About{
	nlu.AboutVenue, nlu.AboutEvents, nlu.AboutDate, nlu.AboutConcierge, nlu.AboutStaff, nlu.AboutVisitor,
	nlu.AboutUnknown, nlu.AboutNone,
}

// Each whole has features that say that it is that one, with how near the best subject is, and whether it is a
// first turn.
const (
	wholeIs = iota
	wholeBest
	wholeFirst
	ofEachWhole
)

// ofWholeIs is a feature of a whole, given by its place among them.
func ofWholeIs(whole, n int) feature { return featuresNamed + feature(whole*ofEachWhole+n) }

// The kinds of subjects, of each of which kinds of answers are asked.
const (
	askedEvent = iota
	askedPassage
	askedPart
	askedSubjects
)

// asksOf are the first of the features that say how likely each group of kinds of answers is asked of a kind of
// subject, or of a whole, which come behind these.
func asksOf(asked int) feature {
	return ofWholeIs(len(wholes), 0) + feature(asked*len(askGroups))
}

// numFeatures is how many features there are.
var numFeatures = int(asksOf(askedSubjects + len(wholes)))

// featureNames are those that the choice was learnt by, in the order of the features.
var featureNames = allFeatureNames()

func allFeatureNames() []string {
	names := slices.Clone(singleNames[:])
	for _, about := range wholes {
		names = append(names, "is_"+string(about), "best_"+string(about), "first_"+string(about))
	}
	asked := []string{"event", "passage", "part"}
	for _, about := range wholes {
		asked = append(asked, string(about))
	}
	for _, of := range asked {
		for _, group := range askGroups {
			names = append(names, of+"_ask_"+group.name)
		}
	}
	return names
}

var singleNames = [featuresNamed]string{
	featureSubject: "subject", featureKept: "kept", featureScore: "score", featureBehind: "behind",
	featureBefore: "before", featureStrength: "strength", featureJoint: "joint", featureCosine: "cosine",
	featureBM25:   "bm25",
	featureStrong: "strong", featureStates: "states", featureTitled: "titled", featureShared: "shared",
	featureUnshared: "unshared", featureWords: "words", featureForeign: "foreign", featureEvent: "event",
	featurePassage: "passage", featurePart: "part", featureLast: "last", featureEarlier: "earlier",
	featureOlder: "older", featureListed: "listed", featureShown: "shown", featurePicked: "picked",
	featureLastSameAsk: "last_same_ask", featureLastShort: "last_short", featureLastAdds: "last_adds",
	featureLastListed: "last_listed", featureUnlisted: "unlisted", featureKeptChanges: "kept_changes",
	featureKeptBare: "kept_bare", featureScoreBare: "score_bare", featureNamed: "named",
	featureScoreNamed: "score_named", featureBehindNamed: "behind_named", featureKeptNamed: "kept_named",
	featureTitledNamed: "titled_named", featureAbout: "about", featureCovered: "covered",
	featureFirstTurn: "first_turn", featureStatesFirst: "states_first", featureRefLast: "ref_last",
	featureLastRef: "last_ref", featureRefEarlier: "ref_earlier", featureEarlierRef: "earlier_ref",
	featureRefItem: "ref_item", featureInTalk: "in_talk", featureAlone: "alone", featureKeptAlone: "kept_alone",
	featureViewRef: "view_ref", featureRefNone: "ref_none",

	featureKeptBeside: "kept_beside", featureKeptBesideStates: "kept_beside_states",
	featureSilentBesideStates: "silent_beside_states", featureNewBeside: "new_beside",
	featureNewBesideStates: "new_beside_states", featureNewAloneStates: "new_alone_states", featureFirst: "first",
	featureLessCovered: "less_covered", featureInTalkBehind: "in_talk_behind", featureAloneBehind: "alone_behind",
	featureKeptBesideAlone: "kept_beside_alone", featureCosineBehind: "cosine_behind",
	featureJointBehind: "joint_behind", featureBM25Behind: "bm25_behind",

	featureWholeAbout: "whole_about", featureWholeSame: "whole_same", featureWholeTimeSame: "whole_time_same",
	featureWholeBare: "whole_bare", featureWholeNamed: "whole_named", featureWholeBest: "whole_best",
	featureWholeStrongest: "whole_strongest", featureWholeNone: "whole_none",
	featureWholeNoneAlone: "whole_none_alone",
	featureWholeInTalk:    "whole_in_talk", featureWholeAlone: "whole_alone", featureWholeKept: "whole_kept",
	featureVenueTime: "venue_time", featureEventsTime: "events_time", featureVenueOpen: "venue_open",
	featureEventsAsks: "events_asks",
}

// askGroups are kinds of answers that things of the same sort are asked for.
var askGroups = [...]struct {
	name string
	asks []nlu.Ask
}{
	{"time", []nlu.Ask{
		nlu.AskWhen, nlu.AskUntilWhen, nlu.AskNext, nlu.AskStillOn, nlu.AskHowOften, nlu.AskHowLong, nlu.AskDate,
	}},
	{"place", []nlu.Ask{nlu.AskWhere, nlu.AskHowToGet}},
	{"price", []nlu.Ask{nlu.AskHowMuch}},
	{"may", []nlu.Ask{nlu.AskMayI, nlu.AskForWhom, nlu.AskWhichLanguage}},
	{"need", []nlu.Ask{nlu.AskNeedI, nlu.AskAvailability}},
	{"list", []nlu.Ask{nlu.AskEvents, nlu.AskCount, nlu.AskWhich, nlu.AskCompare}},
	{"there", []nlu.Ask{nlu.AskIsThere}},
	{"how", []nlu.Ask{nlu.AskHowDoI, nlu.AskContact}},
	{"what", []nlu.Ask{nlu.AskWhatIs, nlu.AskWho, nlu.AskHowMany, nlu.AskConfirm}},
	{"open", []nlu.Ask{nlu.AskIsOpen}},
	{"none", []nlu.Ask{nlu.AskNone, nlu.AskRepeat, nlu.AskTranslate}},
}

// groupsOf are how likely a reading asks for each group of kinds of answers.
func groupsOf(r nlu.Reading) (out [len(askGroups)]float64) {
	for i, group := range askGroups {
		for _, ask := range group.asks {
			if r.Asks == nil {
				out[i] += flag(r.Ask == ask)
			}
			out[i] += r.Asks[ask]
		}
	}
	return out
}
