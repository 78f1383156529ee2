package h264

const (
	// frameNumBits is how many bits frame_num has.
	frameNumBits = 8
	// initQP is the QP that slices count from.
	initQP = 26
	// profile is profile_idc (baseline), and constraints the byte of constraint flags: set 0 and
	// 1, which make it constrained baseline.
	profile, constraints = 66, 0xc0
)

// levels are the level_idc we use with what they allow of macroblocks a second and in a picture,
// Table A-1.
var levels = [...]struct{ idc, perSecond, perPicture int }{
	{30, 40500, 1620},
	{31, 108000, 3600},
	{32, 216000, 5120},
	{40, 245760, 8192},
	{42, 522240, 8704},
	{51, 983040, 36864},
}

// Level is the level_idc of the video: ten times the lowest level that holds it, Table A-1.
func (e *Encoder) Level() int {
	size := e.columns * e.rows
	for _, l := range levels {
		if size*e.rate <= l.perSecond && size <= l.perPicture {
			return l.idc
		}
	}
	return 52
}

// Parameters returns the sequence and the picture parameter set as NAL units without start codes,
// clauses 7.3.2.1.1 and 7.3.2.2. Colours are those of Rec. ITU-R BT.709 in narrow range, see
// [Convert].
func (e *Encoder) Parameters() (sequence, picture []byte) {
	w := &bitWriter{}
	w.put(profile, 8)
	w.put(constraints, 8)
	w.put(uint32(e.Level()), 8)
	w.ue(0)                // seq_parameter_set_id
	w.ue(frameNumBits - 4) // log2_max_frame_num_minus4
	w.ue(2)                // pic_order_cnt_type: pictures are shown in the order in which they are coded
	w.ue(1)                // max_num_ref_frames
	w.flag(false)          // gaps_in_frame_num_value_allowed_flag
	w.ue(e.columns - 1)
	w.ue(e.rows - 1)
	w.flag(true) // frame_mbs_only_flag
	w.flag(true) // direct_8x8_inference_flag
	right, bottom := 16*e.columns-e.width, 16*e.rows-e.height
	w.flag(right+bottom > 0) // frame_cropping_flag, in steps of two samples
	if right+bottom > 0 {
		w.ue(0)
		w.ue(right / 2)
		w.ue(0)
		w.ue(bottom / 2)
	}
	w.flag(true) // vui_parameters_present_flag
	e.usability(w)
	sequence = w.unit(0x67)

	w = &bitWriter{}
	w.ue(0)           // pic_parameter_set_id
	w.ue(0)           // seq_parameter_set_id
	w.flag(false)     // entropy_coding_mode_flag: CAVLC
	w.flag(false)     // bottom_field_pic_order_in_frame_present_flag
	w.ue(0)           // num_slice_groups_minus1
	w.ue(0)           // num_ref_idx_l0_default_active_minus1
	w.ue(0)           // num_ref_idx_l1_default_active_minus1
	w.flag(false)     // weighted_pred_flag
	w.put(0, 2)       // weighted_bipred_idc
	w.se(initQP - 26) // pic_init_qp_minus26
	w.se(0)           // pic_init_qs_minus26
	w.se(0)           // chroma_qp_index_offset
	w.flag(true)      // deblocking_filter_control_present_flag
	w.flag(false)     // constrained_intra_pred_flag
	w.flag(false)     // redundant_pic_cnt_present_flag
	return sequence, w.unit(0x68)
}

// usability writes the video usability information, clause E.1.1.
func (e *Encoder) usability(w *bitWriter) {
	w.flag(true) // aspect_ratio_info_present_flag
	w.put(1, 8)  // square samples
	w.flag(false)
	w.flag(true)  // video_signal_type_present_flag
	w.put(5, 3)   // video_format: unspecified
	w.flag(false) // video_full_range_flag
	w.flag(true)  // colour_description_present_flag
	w.put(1, 8)   // BT.709 primaries,
	w.put(1, 8)   // transfer,
	w.put(1, 8)   // and matrix
	w.flag(true)  // chroma_loc_info_present_flag
	w.ue(1)       // in the middle of four luma samples, for both fields
	w.ue(1)
	w.flag(true) // timing_info_present_flag
	w.put(1, 32)
	w.put(uint32(2*e.rate), 32) // ticks are fields
	w.flag(true)                // fixed_frame_rate_flag
	w.flag(false)               // no HRD parameters for NAL,
	w.flag(false)               // or VCL
	w.flag(false)               // pic_struct_present_flag
	w.flag(true)                // bitstream_restriction_flag
	w.flag(false)               // motion_vectors_over_pic_boundaries_flag
	w.ue(0)                     // max_bytes_per_pic_denom
	w.ue(0)                     // max_bits_per_mb_denom
	w.ue(0)                     // log2_max_mv_length_horizontal
	w.ue(0)                     // log2_max_mv_length_vertical
	w.ue(0)                     // max_num_reorder_frames
	w.ue(1)                     // max_dec_frame_buffering
}
