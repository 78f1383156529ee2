package runs

import "slices"

// modeKinds says which kinds of events a mode is made of, besides those that every run has.
var modeKinds = map[Mode][]Kind{
	ModeValues:        {KindValues},
	ModeUpdates:       {KindUpdate},
	ModeMessages:      {KindMessage, KindUpdate},
	ModeMessagesTuple: {KindMessage, KindUpdate},
	ModeCustom:        {KindCustom},
	ModeTasks:         {KindTask, KindTaskEnd},
	ModeCheckpoints:   {KindCheckpoint},
	ModeDebug:         {KindTask, KindTaskEnd, KindCheckpoint},
	ModeEvents:        {KindMessage, KindUpdate, KindValues, KindTask},
	ModeTools:         {KindTask, KindUpdate},
}

// Valid says whether there is such a mode.
func (m Mode) Valid() bool { _, ok := modeKinds[m]; return ok }

// wanted is what is to be said of a run.
func (k Kwargs) wanted() Want {
	w := Want{Kinds: map[Kind]bool{KindInterrupt: true}, Subgraphs: k.Subgraphs || k.AllModes}
	for mode, kinds := range modeKinds {
		if !k.AllModes && !slices.Contains(k.StreamMode, mode) {
			continue
		}
		for _, kind := range kinds {
			w.Kinds[kind] = true
		}
	}
	return w
}
