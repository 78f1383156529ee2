package langgraph

import (
	"strings"

	"github.com/gin-gonic/gin"

	"annai/runs"
)

func (a *handlers) putItem(c *gin.Context) error {
	n, err := decode[runs.NewItem](c)
	if err != nil {
		return err
	}
	if err := a.as(c).PutItem(c.Request.Context(), n); err != nil {
		return err
	}
	return a.noContent(c)
}

func (a *handlers) item(c *gin.Context) error {
	i, err := a.as(c).Item(c.Request.Context(), strings.Split(c.Query("namespace"), "."), c.Query("key"), c.Query("refresh_ttl") != "false")
	if err != nil {
		return err
	}
	return answer(c, i)
}

func (a *handlers) deleteItem(c *gin.Context) error {
	body, err := decode[struct {
		Namespace []string `json:"namespace"`
		Key       string   `json:"key"`
	}](c)
	if err != nil {
		return err
	}
	if body.Namespace == nil && c.Query("namespace") != "" {
		body.Namespace, body.Key = strings.Split(c.Query("namespace"), "."), c.Query("key")
	}
	if err := a.as(c).DeleteItem(c.Request.Context(), body.Namespace, body.Key); err != nil {
		return err
	}
	return a.noContent(c)
}

func (a *handlers) searchItems(c *gin.Context) error {
	body, err := decode[struct {
		search

		Prefix  []string    `json:"namespace_prefix"`
		Filter  runs.Object `json:"filter"`
		Query   string      `json:"query"`
		Refresh *bool       `json:"refresh_ttl"`
	}](c)
	if err != nil {
		return err
	}
	page, err := body.page(10)
	if err != nil {
		return err
	}
	items, err := a.as(c).SearchItems(c.Request.Context(), runs.ItemFilter{
		Prefix: body.Prefix, Match: body.Filter, Refresh: body.Refresh == nil || *body.Refresh, Page: page,
	}, body.Query)
	if err != nil {
		return err
	}
	return answer(c, gin.H{"items": some(items)})
}

func (a *handlers) namespaces(c *gin.Context) error {
	body, err := decode[struct {
		search

		Prefix   []string `json:"prefix"`
		Suffix   []string `json:"suffix"`
		MaxDepth int      `json:"max_depth"`
	}](c)
	if err != nil {
		return err
	}
	page, err := body.page(100)
	if err != nil {
		return err
	}
	list, err := a.as(c).Namespaces(c.Request.Context(), runs.NamespaceFilter{Prefix: body.Prefix, Suffix: body.Suffix, MaxDepth: body.MaxDepth, Page: page})
	if err != nil {
		return err
	}
	return answer(c, gin.H{"namespaces": some(list)})
}
