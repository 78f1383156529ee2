// Millimetres on glass. The operator may name the diagonal in inches (?diagonal=43); without it a large screen is taken
// for a 43-inch panel and a small one for CSS's own idea of 96 pixels to the inch.

const millimetresPerInch = 25.4;
const panelInches = 43;
const panelPixels = 1600;

/** CSS pixels per millimetre of a page that fills its screen. Diagonal is in inches; NaN or 0 when unknown. */
export function pixelsPerMillimetre(width: number, height: number, diagonal: number): number {
  const pixels = Math.hypot(width, height);
  if (diagonal > 0) return pixels / (diagonal * millimetresPerInch);
  if (Math.max(width, height) >= panelPixels) return pixels / (panelInches * millimetresPerInch);
  return 96 / millimetresPerInch;
}
