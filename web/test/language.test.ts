import assert from "node:assert/strict";
import { test } from "node:test";
import { glued, phrasesOf } from "../kiosk/src/breaks";
import { marked } from "../kiosk/src/keyboard";
import { inLanguage, isAlike, titleIn, writtenIn } from "../kiosk/src/language";

test("what is typed tells its language, or nothing", () => {
  for (const [question, language] of [
    ["トイレはどこ", "ja"],
    ["Engineer Cafeの場所", "ja"],
    ["wi-fi ある?", "ja"],
    ["Is it free?", "en"],
    ["where can I park", "en"],
    ["What's on today?", "en"],
    ["Delete the entry with 山田さん", "en"],
    ["Add 定例 to my calendar", "en"],
    ["Google for Startups のイベントは？", "ja"],
    ["ChatGPT for Businessの説明会", "ja"],
    ["Wi-Fi", null],
    ["Engineer Cafe", null],
    ["営業時間", null],
    ["厕所在哪里", null],
    ["3D", null],
    ["", null],
  ] as const) {
    assert.equal(writtenIn(question), language, question);
  }
});

test("a title in both languages has the half of the page", () => {
  for (const [title, ja, en] of [
    ["冬のもくもく会 (Winter Mokumoku Night)", "冬のもくもく会", "Winter Mokumoku Night"],
    ["朝ヨガ / Morning Yoga", "朝ヨガ", "Morning Yoga"],
    ["AI ウィーク", "AI ウィーク", "AI ウィーク"],
    ["Go (1.26)", "Go (1.26)", "Go (1.26)"],
  ] as const) {
    assert.deepEqual([titleIn(title, "ja"), titleIn(title, "en")], [ja, en], title);
  }
  assert.equal(inLanguage("1F メインホール / 1F Main Hall", "en"), "1F Main Hall");
});

test("what was asked is not offered again in other words", () => {
  for (const [asked, offered, alike] of [
    ["Wi-Fiはありますか？", "Wi-Fiは使えますか？", true],
    ["Do you have Wi-Fi", "Is there Wi-Fi?", true],
    ["トイレ", "トイレはどこですか？", true],
    ["今日のイベントは？", "今週末のイベントは？", false],
    ["What's on today?", "What's on this weekend?", false],
    ["こんにちは", "今日のイベントは？", false],
  ] as const) {
    assert.equal(isAlike(asked, offered), alike, `${asked} and ${offered}`);
  }
});

test("Japanese breaks between phrases, and never within a name that is known", () => {
  for (const [text, keep, phrases] of [
    ["初めての方は、どうぞ。", [], ["初めての", "方は、", "どうぞ。"]],
    ["お気軽にお尋ねください。", [], ["お気軽に", "お尋ねください。"]],
    ["19時から、冬のもくもく会です。", ["冬のもくもく会"], ["19時から、", "冬のもくもく会です。"]],
    ["「山田さんと打ち合わせ」の予定があります。", [], ["「山田さんと", "打ち合わせ」の", "予定が", "あります。"]],
    ["1月15日(木) 14:00〜15:00", [], ["1月15日(木) ", "14:00〜15:00"]],
    ["つながりましたら、もう一度お答えします。", [], ["つながりましたら、", "もう一度", "お答えします。"]],
    ["つながりにくく\u200bなっています", [], ["つながりにくく\u200b", "なっています"]],
  ] as const) {
    assert.deepEqual(phrasesOf(text, [...keep]), phrases, text);
  }
});

test("hours, dates and short names stay in one piece", () => {
  for (const [text, names, whole] of [
    ["Thu, Jan 15, 2026, 14:30–15:30", [], "Thu, Jan\u00a015, 2026, 14:30–\u206015:30"],
    ["Engineer Cafe, or cafe&bar saino?", ["cafe&bar saino"], "Engineer Cafe, or cafe&bar\u00a0saino?"],
    ["There is Winter Mokumoku Night.", ["Winter Mokumoku Night"], "There is Winter Mokumoku Night."],
  ] as const) {
    assert.equal(glued(text, [...names]), whole);
  }
  assert.deepEqual(phrasesOf("館内のcafe&bar\u00a0sainoです。", ["cafe&bar\u00a0saino"]), ["館内の", "cafe&bar\u00a0sainoです。"]);
  assert.deepEqual(phrasesOf("with “山田さん” (Thu)"), ["with ", "“山田さん” ", "(Thu)"]);
});

test("the marks of the keyboard change the kana before them, and back", () => {
  for (const [letter, mark, wanted] of [
    ["か", "゛", "が"],
    ["が", "゛", "か"],
    ["は", "゜", "ぱ"],
    ["ば", "゜", "ぱ"],
    ["つ", "小", "っ"],
    ["っ", "小", "つ"],
    ["ん", "゛", null],
    ["", "゛", null],
  ] as const) {
    assert.equal(marked(letter, mark), wanted, `${letter}${mark}`);
  }
});
