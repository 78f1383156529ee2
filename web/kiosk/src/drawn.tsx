// What a card shows that no sentence says: a price list, or a sketch of the surroundings.

import type { Card, Language } from "./api";
import { Sketch } from "./map";
import "./style/table.css";
import { Text } from "./text";

export function Drawn({ card, language }: { card: Card; language: Language }) {
  return card.type === "map" ? <Sketch card={card} language={language} /> : <Table rows={card.rows ?? []} />;
}

function Table({ rows }: { rows: NonNullable<Card["rows"]> }) {
  return (
    <dl class="prices">
      {rows.map(({ label, value }, i) => (
        <div key={i}>
          <dt>
            <Text text={label} />
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
