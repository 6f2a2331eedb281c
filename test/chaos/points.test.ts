import { expect, it } from "vitest";
import { allPoints, pointOnTheWay, samplePoints } from "./points.ts";

it("there are two points with every commit, in order", () => {
  expect(allPoints(2)).toEqual([
    { commit: 1, moment: "unheard" },
    { commit: 1, moment: "acted" },
    { commit: 2, moment: "unheard" },
    { commit: 2, moment: "acted" },
  ]);
});

it("a sample is some of them, the same for a seed and another for another", () => {
  const all = allPoints(50);
  const sample = samplePoints(all, 10, 7);
  expect(sample).toHaveLength(10);
  expect(all.filter((point) => sample.includes(point))).toEqual(sample);
  expect(samplePoints(all, 10, 7)).toEqual(sample);
  expect(samplePoints(all, 10, 8)).not.toEqual(sample);
  expect(samplePoints(all.slice(0, 3), 10, 7)).toEqual(all.slice(0, 3));
});

it("who goes on dies in each of the first commits in turn", () => {
  const some = Array.from({ length: 9 }, (_, i) => pointOnTheWay(i));
  expect(some).toEqual([...allPoints(4), ...allPoints(1).slice(0, 1)]);
});
