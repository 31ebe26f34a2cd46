package nearness

import "io"

// WriteStudy writes the summary and the tables of a study: the machines on which
// it matters who is near, then the others.
func WriteStudy(w io.Writer, rows []Row) error {
	var several, cores, equal []Row
	for _, r := range rows {
		switch {
		case r.Rings < 2:
			equal = append(equal, r)
		case r.Caches < 2:
			cores = append(cores, r)
		default:
			several = append(several, r)
		}
	}
	for _, part := range []struct {
		title string
		write func(io.Writer, []Row) error
		rows  []Row
	}{
		{"### In short\n\n", WriteSummary, rows},
		{"\n### Machines with several last-level caches\n\n", WriteTable, several},
		{"\n### Machines with one, whose cores or second-level caches have several threads\n\n", WriteTable, cores},
		{"\n### Machines where all are equally near\n\n", WriteTable, equal},
	} {
		if _, err := io.WriteString(w, part.title); err != nil {
			return err
		}
		if err := part.write(w, part.rows); err != nil {
			return err
		}
	}
	return nil
}
