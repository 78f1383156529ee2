// Every word the page itself says, in both languages. A key that one language lacks does not compile.

import type { Emotion, Language } from "./api";

export interface Words {
  title: string;
  askMe: string;
  examples: string;
  question: string;
  placeholder: string;
  send: string;
  today: string;
  nothingToday: string;
  unknownToday: string;
  answer: string;
  thinking: string;
  stop: string;
  stopped: string;
  repeat: string;
  more: string;
  first: string;
  details: string;
  detailsOf: (number: number) => string;
  large: string;
  sound: string;
  keyboard: string;
  brokenOff: string;
  poster: string;
  shown: (from: number, to: number, all: number) => string;
  next: string;
  choose: string;
  finish: string;
  failed: string;
  offline: string;
  offlineMore: string;
  asOf: (time: string) => string;
  retry: string;
  staff: string;
  language: string;
  demo: string;
  touch: string;
  allDay: string;
  cancelled: string;
  tentative: string;
  full: string;
  reserved: string;
  postponed: string;
  events: string;
  guide: string;
  faces: Record<Emotion, string>;
}

const ja: Words = {
  title: "ご案内",
  askMe: "なんでも聞いてください",
  examples: "たとえば",
  question: "質問",
  placeholder: "質問を入力",
  send: "送信",
  today: "きょうのイベント",
  nothingToday: "きょう、このあとのイベントはありません。",
  unknownToday: "きょうの予定は、いま確認できません。",
  answer: "お答え",
  thinking: "お調べしています",
  stop: "止める",
  stopped: "止めました。ほかのことも、どうぞお聞きください。",
  repeat: "もう一度聞く",
  more: "もっと見る",
  first: "さいしょに戻る",
  details: "くわしく",
  detailsOf: (number) => `${number}つ目について詳しく`,
  large: "大きな文字",
  sound: "声",
  keyboard: "キーボード",
  brokenOff: "すみません、話の途中で切れてしまいました。つながりましたら、続きをお話しします。",
  poster: "ポスター",
  shown: (from, to, all) => (from === to ? `${from} / ${all}件` : `${from}〜${to} / ${all}件`),
  next: "つづけて聞く",
  choose: "お選びください",
  finish: "おわる",
  failed: "すみません、お答えできませんでした。もう一度お試しください。",
  offline: "つながりにくく\u200bなっています",
  offlineMore: "ただいま会話をお休みしています。つながりましたら、自動で戻ります。",
  asOf: (time) => `${time} 時点の情報です`,
  retry: "もう一度ためす",
  staff: "お急ぎの方は、スタッフへどうぞ。",
  language: "表示する言語",
  demo: "デモデータ",
  touch: "画面にふれてください",
  allDay: "終日",
  cancelled: "中止",
  tentative: "予定・未確定",
  full: "満席",
  reserved: "貸切",
  postponed: "延期",
  events: "イベント",
  guide: "案内役のあかり",
  faces: {
    neutral: "おだやかな顔",
    happy: "うれしい顔",
    sad: "申し訳なさそうな顔",
    relaxed: "くつろいだ顔",
    surprised: "おどろいた顔",
  },
};

const en: Words = {
  title: "Guide",
  askMe: "Ask me anything",
  examples: "Try asking",
  question: "Your question",
  placeholder: "Type here",
  send: "Ask",
  today: "On today",
  nothingToday: "Nothing more is on today.",
  unknownToday: "I can't check today's events right now.",
  answer: "Answer",
  thinking: "Let me look that up",
  stop: "Stop",
  stopped: "I've stopped. Feel free to ask something else.",
  repeat: "Say it again",
  more: "Show more",
  first: "Back to the first",
  details: "Details",
  detailsOf: (number) => `Tell me about the ${["first", "second", "third", "fourth", "fifth"][number - 1] ?? `${number}th`} one`,
  large: "Large text",
  sound: "Voice",
  keyboard: "Keyboard",
  brokenOff: "I'm sorry, we were cut off. I'll go on as soon as I'm connected again. ",
  poster: "Poster",
  shown: (from, to, all) => (from === to ? `${from} of ${all}` : `${from}–${to} of ${all}`),
  next: "Ask next",
  choose: "Please choose",
  finish: "Finish",
  failed: "I'm sorry, I couldn't answer that. Please try again.",
  offline: "I can't get through right now",
  offlineMore: "Our chat is taking a short break. I'll be back as soon as I'm connected again. ",
  asOf: (time) => `As of ${time}`,
  retry: "Try again",
  staff: "If you are in a hurry, please ask a member of staff.",
  language: "Display language",
  demo: "demo data",
  touch: "Touch the screen",
  allDay: "All day",
  cancelled: "Cancelled",
  tentative: "To be confirmed",
  full: "Full",
  reserved: "Private",
  postponed: "Postponed",
  events: "Events",
  guide: "Akari, your guide",
  faces: {
    neutral: "looking calm",
    happy: "smiling",
    sad: "looking sorry",
    relaxed: "looking relaxed",
    surprised: "looking surprised",
  },
};

export const words: Record<Language, Words> = { ja, en };
