// A price list on its card, where a sentence says only a part of it.

import type { Card } from "./api";
import "./style/table.css";
import { Text } from "./text";

export function Table({ rows }: { rows: NonNullable<Card["rows"]> }) {
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
