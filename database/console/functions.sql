call change_only('alarms', 'alarms_stay_what_they_are', 'words late_since seen_at reminded_at', 'ended_at told_at cleared_at');
call keep_rows('{alarms,alarm_silences}');
call change_only('alarm_silences', 'silences_end_once', once => 'ended_at ended_by ended_by_act');
call name_act('alarm_silences', 'act_id', 'console/silence-alarms', 'silence:', 'id', 'operator_id');
call name_act('alarm_silences', 'ended_by_act', 'console/end-silence', 'silence:', 'id', 'ended_by');
