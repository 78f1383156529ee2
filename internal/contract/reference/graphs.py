"""The graphs of main.go for LangGraph's own server."""

import json
import operator
from typing import Annotated, Any, TypedDict

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Send, interrupt


def echo_node(state: MessagesState):
    return {"messages": [AIMessage("echo: " + state["messages"][-1].text)]}


echo = StateGraph(MessagesState)
echo.add_node("echo", echo_node)
echo.add_edge(START, "echo")
echo.add_edge("echo", END)
echo = echo.compile()


class Asked(TypedDict, total=False):
    topic: str
    approved: bool


def ask_node(state: Asked):
    answer = interrupt({"question": "May I " + state["topic"] + "?"}, response_schema={"type": "boolean"})
    return {"approved": answer}


def tell_node(state: Asked):
    return {"topic": state["topic"] + " is over"}


ask = StateGraph(Asked)
ask.add_node("ask", ask_node)
ask.add_node("tell", tell_node)
ask.add_edge(START, "ask")
ask.add_edge("ask", "tell")
ask.add_edge("tell", END)
ask = ask.compile()


class Words(TypedDict, total=False):
    word: str


def inner_node(state: Words):
    get_stream_writer()({"at": "inner"})
    return {"word": state["word"] + " inner"}


def first_node(state: Words):
    return {"word": state["word"] + " first"}


inner = StateGraph(Words)
inner.add_node("deep", inner_node)
inner.add_edge(START, "deep")
inner.add_edge("deep", END)
outer = StateGraph(Words)
outer.add_node("first", first_node)
outer.add_node("sub", inner.compile())
outer.add_edge(START, "first")
outer.add_edge("first", "sub")
outer.add_edge("sub", END)
outer = outer.compile()


class Texts(TypedDict, total=False):
    texts: list[str]
    lengths: Annotated[list[int], operator.add]
    total: int


def count_node(text: str):
    return {"lengths": [len(text)]}


def sum_node(state: Texts):
    return {"total": sum(state["lengths"])}


spread = StateGraph(Texts)
spread.add_node("count", count_node)
spread.add_node("sum", sum_node)
spread.add_conditional_edges(START, lambda s: [Send("count", t) for t in s["texts"]], ["count"])
spread.add_edge("count", "sum")
spread.add_edge("sum", END)
spread = spread.compile()


def fail_node(state: Words):
    raise RuntimeError("no such word")


fail = StateGraph(Words)
fail.add_node("fail", fail_node)
fail.add_edge(START, "fail")
fail.add_edge("fail", END)
fail = fail.compile()


class Model(BaseChatModel):
    """Asks for the weather, in pieces, and tells what the tool said."""

    @property
    def _llm_type(self) -> str:
        return "script"

    def bind_tools(self, tools: Any, **kwargs: Any):
        return self

    def _pieces(self, messages):
        if isinstance(messages[-1], ToolMessage):
            for word in ("It ", "says ", messages[-1].text):
                yield AIMessageChunk(word)
            return
        place = {"city": "Kyoto"}
        text = json.dumps(place, separators=(",", ":"))
        yield AIMessageChunk("", tool_call_chunks=[{"name": "weather", "args": "", "id": "call_1", "index": 0}])
        for piece in (text[:8], text[8:]):
            yield AIMessageChunk("", tool_call_chunks=[{"name": None, "args": piece, "id": None, "index": 0}])

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        for piece in self._pieces(messages):
            chunk = ChatGenerationChunk(message=piece)
            if run_manager:
                run_manager.on_llm_new_token(piece.text, chunk=chunk)
            yield chunk

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        whole = None
        for piece in self._pieces(messages):
            whole = piece if whole is None else whole + piece
        message = AIMessage(whole.content, tool_calls=whole.tool_calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return "sunny in " + city


agent = create_agent(Model(), [weather])
careful = create_agent(Model(), [weather], middleware=[HumanInTheLoopMiddleware(interrupt_on={"weather": True})])
