// Package agent has the parts of graphs in which a language model calls tools, and [React], which puts them together.
// The names are those of LangChain's library for Python where there is one.
//
// The idea to hold: a conversation is a list of [Message] in a state, its channel is [Messages], and everything else
// is nodes of package graph: the model's, and one task per tool call. So what an agent does is kept,
// streamed, drawn and taken up again like any other graph, and a question to a person is an interrupt.
//
// In this order: [NewTool] (a tool of a Go function), [React] with [Options] (the graph), [Input] (a run). Then as the
// need comes:
//
//   - to let a person decide: Options.InterruptOn, [ReviewRequest], [Decision], [Resume]
//   - to take part in the work: [Middleware], and the ready-made ones, from [ModelCallLimit] to [PII]
//   - tools that read and write the state: [NewStateTool], [Field]
//   - several agents: [AsTool], [Swarm] with [Handoff]
//   - graphs of one's own: [Messages], [AddToolNode], [ToolsCondition], [ToModel], [FromModel]
//
// The package knows no provider, no store and no server.
package agent
