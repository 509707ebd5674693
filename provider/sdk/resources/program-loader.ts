/** What loads a program without the engine: it is told of each resource while its constructor runs. */
export const programLoader: { declares?: (type: string, name: string) => void } = {};
