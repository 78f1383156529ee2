package slots

// template is a kind of feature.
type template uint32

const (
	tAlways template = iota
	tToken
	tBefore1
	tBehind1
	tBefore2
	tBehind2
	tBefore3
	tBehind3
	tPairBefore
	tPairBehind
	tTwoBefore
	tTwoBehind
	tAround
	tShape
	tShapes3
	tShapes5
	tTime
	tTimesAround
	tTimes3
	tTimeToken
	tTimeBehind
	tTimeBefore
	tLeft
	tRight
	tLeftToken
	tTokenRight
	tLeftRight
	tLeftClass
	tRightClass
	tClassLeft
	tClassRight
	tClass
	tClassBehind
	tClassBefore
	tClassFrame
	tClassTime
	tClassBefore1
	tClassBehind1
	tClassBefore2
	tClassBehind2
	tFrameTime
	tFrameToken
	tFirstToken
	tFirst2Token
	tLastToken
	tLengthToken
	tPosition
	tNext3
	tLast3
	tRun
	tRunBehind
	tRunBefore
	tRunLength
	tRunNext
	tRunNext2
	tRunPair
	tPrefix
	tSuffix
	tPhrase
	tSkip
	tAnyClass
	tFrame
	tLength
	tLengthFrame
	tFirstVerb
	tFirstVerbWord
	tLastVerb
	tVerbs
	tTail
	tTailVerb
	tLastVerbFrame
	tKana
	tKanaVerb
	tKanaFrame
	tVerbQuestion
	tVerbPast
	tVerbNext
	tVerbNext2
	tVerbNext3
	tVerbPrevious
	tVerbPrevious2
	numTemplates
)

// templateNames say what a feature looks at, for people.
var templateNames = [numTemplates]string{
	tAlways: "any token", tToken: "the token", tBefore1: "one before", tBehind1: "one behind", tBefore2: "two before", tBehind2: "two behind",
	tBefore3: "three before", tBehind3: "three behind", tPairBefore: "with the one before", tPairBehind: "with the one behind",
	tTwoBefore: "the two before", tTwoBehind: "the two behind", tAround: "both neighbours",
	tShape: "its script", tShapes3: "the scripts of three",
	tShapes5: "the scripts of five", tTime: "temporal expression", tTimesAround: "temporal expressions beside it",
	tTimes3: "temporal expressions of three", tTimeToken: "temporal expression, and the token", tTimeBehind: "temporal expression, and the one behind",
	tTimeBefore: "temporal expression, and the one before", tLeft: "the nearest before that is no time", tRight: "the nearest behind that is no time",
	tLeftToken: "with the nearest before that is no time", tTokenRight: "with the nearest behind that is no time",
	tLeftRight: "the nearest on both sides that are no times", tLeftClass: "class of the nearest before that is no time",
	tRightClass: "class of the nearest behind that is no time", tClassLeft: "its class, and the nearest before that is no time",
	tClassRight: "its class, and the nearest behind that is no time", tClass: "its class", tClassBehind: "its class, and the one behind",
	tClassBefore: "its class, and the one before", tClassFrame: "its class, and the verbs of the command", tClassTime: "its class, and the temporal expression",
	tClassBefore1: "class of the one before", tClassBehind1: "class of the one behind", tClassBefore2: "class of the second before",
	tClassBehind2: "class of the second behind", tFrameTime: "temporal expression, and the verbs of the command",
	tFrameToken: "with the verbs of the command", tFirstToken: "with the first token", tFirst2Token: "with the first two tokens",
	tLastToken: "with the last token", tLengthToken: "with the length of the command", tPosition: "its place in the command",
	tNext3: "the three behind",
	tLast3: "the three before", tRun: "the run of its script", tRunBehind: "its run, and the run behind", tRunBefore: "its run, and the run before",
	tRunLength: "length of its run", tRunNext: "its run, and the character behind", tRunNext2: "its run, and the two characters behind",
	tRunPair: "its run with the run behind", tPrefix: "how it begins", tSuffix: "how it ends",
	tPhrase: "words", tSkip: "words apart", tAnyClass: "a class of words", tFrame: "the verbs", tLength: "its length", tLengthFrame: "its length, and the verbs",
	tFirstVerb: "the first verb", tFirstVerbWord: "the word of the first verb", tLastVerb: "the last verb", tVerbs: "the first and last verb",
	tTail: "what is behind the last verb", tTailVerb: "the last verb, and what is behind it", tLastVerbFrame: "the last verb, and all verbs",
	tKana: "the hiragana at the end", tKanaVerb: "the last verb, and the hiragana at the end", tKanaFrame: "the verbs, and the hiragana at the end",
	tVerbQuestion: "a verb beside a question", tVerbPast: "a verb in the past", tVerbNext: "a verb, and what is behind it", tVerbNext2: "a verb, and the two behind it",
	tVerbNext3: "a verb, and the three behind it", tVerbPrevious: "a verb, and what is before it", tVerbPrevious2: "a verb, and the two before it",
}
