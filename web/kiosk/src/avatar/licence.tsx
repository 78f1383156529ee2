// Whose the figure is, and what its licence says, as its file has it. VRM wants it shown.

import type { VRMMeta } from "@pixiv/three-vrm";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Language } from "../api";
import "../style/dialog.css";

type Row = [label: string, value: string];

/** The words of VRM's permissions. What a file says in other words is shown as it stands. */
const own = {
  ja: {
    about: "この案内役について",
    name: "名前", by: "作者", version: "版", rights: "著作権", contact: "連絡先", sources: "出典", others: "第三者の権利",
    avatar: "使える人", commercial: "商用利用", credit: "クレジット表記", redistribute: "再配布", modify: "改変",
    violent: "過度に暴力的な表現", sexual: "過度に性的な表現", political: "政治・宗教での利用", hate: "反社会的・憎悪表現", licence: "ライセンス",
    close: "とじる", yes: "できます", no: "できません", software: "表示に使うソフトウェア",
    values: {
      onlyAuthor: "作者のみ", onlySeparatelyLicensedPerson: "個別に許諾された人", everyone: "だれでも",
      personalNonProfit: "個人の非営利のみ", personalProfit: "個人の営利まで", corporation: "法人も可",
      required: "必要", unnecessary: "不要", prohibited: "できません", allowModification: "できます", allowModificationRedistribution: "改変したものの再配布も可",
    },
  },
  en: {
    about: "About this guide",
    name: "Name", by: "Made by", version: "Version", rights: "Copyright", contact: "Contact", sources: "Based on", others: "Rights of others",
    avatar: "Who may use it", commercial: "Commercial use", credit: "Credit", redistribute: "Redistribution", modify: "Changes",
    violent: "Very violent scenes", sexual: "Very sexual scenes", political: "Political or religious use", hate: "Antisocial or hateful use", licence: "Licence",
    close: "Close", yes: "allowed", no: "not allowed", software: "Drawn with",
    values: {
      onlyAuthor: "only its author", onlySeparatelyLicensedPerson: "those with a licence of their own", everyone: "everyone",
      personalNonProfit: "people, not for profit", personalProfit: "people, for profit too", corporation: "companies too",
      required: "required", unnecessary: "not required", prohibited: "not allowed", allowModification: "allowed", allowModificationRedistribution: "allowed, and to be passed on",
    },
  },
};

/** What the licence says, row by row; what it does not say is left out. */
export function rowsOf(meta: VRMMeta, language: Language): Row[] {
  const w = own[language];
  const value = (text: string | undefined) => (w.values as Record<string, string>)[text ?? ""] ?? text ?? "";
  const may = (allowed: boolean | undefined) => (allowed ? w.yes : w.no);
  const list = (texts: (string | undefined)[] | undefined) => (texts ?? []).filter(Boolean).join(language === "ja" ? "、" : ", ");
  const rows: Row[] =
    meta.metaVersion === "1"
      ? [
          [w.name, meta.name], [w.by, list(meta.authors)], [w.version, meta.version ?? ""],
          [w.rights, meta.copyrightInformation ?? ""], [w.contact, meta.contactInformation ?? ""], [w.sources, list(meta.references)],
          [w.others, meta.thirdPartyLicenses ?? ""],
          [w.avatar, value(meta.avatarPermission ?? "onlyAuthor")], [w.commercial, value(meta.commercialUsage ?? "personalNonProfit")],
          [w.credit, value(meta.creditNotation ?? "required")], [w.redistribute, may(meta.allowRedistribution)], [w.modify, value(meta.modification ?? "prohibited")],
          [w.violent, may(meta.allowExcessivelyViolentUsage)], [w.sexual, may(meta.allowExcessivelySexualUsage)],
          [w.political, may(meta.allowPoliticalOrReligiousUsage)], [w.hate, may(meta.allowAntisocialOrHateUsage)],
          [w.licence, list([meta.licenseUrl, meta.otherLicenseUrl])],
        ]
      : [
          [w.name, meta.title ?? ""], [w.by, meta.author ?? ""], [w.version, meta.version ?? ""],
          [w.contact, meta.contactInformation ?? ""], [w.sources, meta.reference ?? ""],
          [w.avatar, meta.allowedUserName ?? ""], [w.commercial, meta.commercialUssageName ?? ""],
          [w.violent, meta.violentUssageName ?? ""], [w.sexual, meta.sexualUssageName ?? ""],
          [w.licence, list([meta.licenseName, meta.otherLicenseUrl, meta.otherPermissionUrl])],
        ];
  return rows.filter(([, text]) => text !== "");
}

/** The line on the front: the name and its makers, as licences want it that ask for credit, and the way to all of them. */
export function About({ model: { meta }, language }: { model: { meta: VRMMeta }; language: Language }) {
  const [open, setOpen] = useState(false);
  const w = own[language];
  const rows = rowsOf(meta, language);
  const credit = rows.filter(([label]) => label === w.name || label === w.by).map(([, text]) => text);
  return (
    <>
      <button type="button" class="button is-about" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span class="about-mark" aria-hidden="true">
          i
        </span>
        <span>
          {w.about}: {credit.join(" / ")}
        </span>
      </button>
      {open && <Panel rows={rows} language={language} close={() => setOpen(false)} />}
    </>
  );
}

function Panel({ rows, language, close }: { rows: Row[]; language: Language; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const w = own[language];
  return (
    <dialog class="licence" ref={dialog} aria-labelledby="licence" onCancel={close} onClose={close}>
      <h2 id="licence">{w.about}</h2>
      <dl tabIndex={0} aria-labelledby="licence">
        {[...rows, [w.software, "three.js, @pixiv/three-vrm (MIT, /kiosk/licences.txt)"] as Row].map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-buttons">
        <button type="button" class="button is-main" autofocus onClick={close}>
          <span>{w.close}</span>
        </button>
      </div>
    </dialog>
  );
}
