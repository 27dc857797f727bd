import { describe, expect, it } from "vitest";
import { barOf, iconOf, ruled } from "./ruleLooks";

describe("conditional formats", () => {
  it("go over a cell's own look, and the same two give the same one", () => {
    const [own, rule] = [
      { fill: "FFFFFF", format: "0.0" },
      { fill: "FFC7CE", bold: true, color: null },
    ];
    expect(ruled(own, rule)).toEqual({ fill: "FFC7CE", format: "0.0", bold: true });
    expect(ruled(own, rule)).toBe(ruled(own, rule));
    expect(ruled(own, undefined)).toBe(own);
  });
  it("draw a bar as long as its share, of a colour that is one", () => {
    expect(barOf({ bar: 0.6, bar_color: "63C384" }).backgroundImage).toContain("60%");
    expect(barOf({ bar: 0.6, bar_color: "red;background:url(//x)" })).toEqual({});
    expect(barOf({ bold: true })).toEqual({});
  });
  it("have icons from the lowest to the highest", () => {
    expect(["0", "1", "2"].map((place) => iconOf(`3Arrows:${place}`).sign)).toEqual(["▼", "▶", "▲"]);
    expect(iconOf("3TrafficLights1:0").color).not.toBe(iconOf("3TrafficLights1:2").color);
    expect(iconOf("nonsense").sign).toBe("●");
  });
});
