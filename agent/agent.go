// Package agent makes graphs in which a language model calls tools: [React] is a whole agent, the rest are the parts
// of it. The names are those of LangChain's library for Python where there is one.
//
// The idea to hold: a conversation is a list of [Message] in the state of a graph, and the calls of the model and of
// the tools are nodes of that graph. So what an agent does is kept, streamed, drawn and resumed as in any other
// graph, and a question to a person is an interrupt.
//
// Start with these: [NewTool] (a tool made of a Go function), [React] with [Options] (the graph), [Input] (what a run
// begins with). Then, as needed:
//
//   - to let a person decide: Options.InterruptOn, [ReviewRequest], [Decision], [Resume]
//   - to change what is done around the calls: [Middleware], and the ready-made ones, from [ModelCallLimit] to [PII]
//   - tools that read and write the state: [NewStateTool], [Field]
//   - several agents: [AsTool], [Swarm] with [Handoff]
//   - graphs of one's own: [Messages], [AddToolNode], [ToolsCondition], [ToModel], [FromModel]
//
// The package knows no provider, no store and no server.
package agent
