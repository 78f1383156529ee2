package langgraph

import (
	"github.com/gin-gonic/gin"

	"annai/runs"
)

// createCron is POST /runs/crons, and that of a thread.
func (a *handlers) createCron(c *gin.Context) error {
	n, err := decode[runs.NewCron](c)
	if err != nil {
		return err
	}
	made, err := a.as(c).CreateCron(c.Request.Context(), c.Param("id"), n)
	if err != nil {
		return err
	}
	return answer(c, made)
}

func (a *handlers) cron(c *gin.Context) error {
	kept, err := a.as(c).Cron(c.Request.Context(), c.Param("cron"))
	if err != nil {
		return err
	}
	return answer(c, kept)
}

func (a *handlers) updateCron(c *gin.Context) error {
	n, err := decode[runs.NewCron](c)
	if err != nil {
		return err
	}
	changed, err := a.as(c).UpdateCron(c.Request.Context(), c.Param("cron"), n)
	if err != nil {
		return err
	}
	return answer(c, changed)
}

func (a *handlers) deleteCron(c *gin.Context) error {
	if err := a.as(c).DeleteCron(c.Request.Context(), c.Param("cron")); err != nil {
		return err
	}
	return a.noContent(c)
}

type cronSearch struct {
	search

	AssistantID string `json:"assistant_id"`
	ThreadID    string `json:"thread_id"`
	Enabled     *bool  `json:"enabled"`
}

func (s cronSearch) filter(page runs.Page) runs.CronFilter {
	return runs.CronFilter{AssistantID: s.AssistantID, ThreadID: s.ThreadID, Enabled: s.Enabled, Metadata: s.Metadata, Sort: s.sort(), Page: page}
}

func (a *handlers) searchCrons(c *gin.Context) error {
	s, err := decode[cronSearch](c)
	if err != nil {
		return err
	}
	page, err := s.page(10)
	if err != nil {
		return err
	}
	list, n, err := a.as(c).SearchCrons(c.Request.Context(), s.filter(page))
	if err != nil {
		return err
	}
	return found(c, s.search, page, list, n)
}

func (a *handlers) countCrons(c *gin.Context) error {
	s, err := decode[cronSearch](c)
	if err != nil {
		return err
	}
	_, n, err := a.as(c).SearchCrons(c.Request.Context(), s.filter(runs.Page{}))
	if err != nil {
		return err
	}
	return answer(c, n)
}
