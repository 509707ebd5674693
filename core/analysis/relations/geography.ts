// Which continent a country is on, where all data sets of addresses agree on it.

const CONTINENTS: Readonly<Record<string, string>> = {
  AF:
    "AO BF BI BJ BW CD CF CG CI CM DJ DZ ER ET GA GH GM GN GQ GW KE LR LS LY MA MG ML MR MU MW MZ NA NE NG RW SD SL SN SO SS ST SZ TD " +
    "TG TN TZ UG ZA ZM ZW",
  AN: "AQ",
  AS: "AE AF BD BH BN BT CN HK ID IN IQ IR JO JP KG KH KP KR KW LA LB LK MM MN MO MV MY NP OM PH PK QA SA SG SY TH TJ TM TW UZ VN YE",
  EU: "AD AL AT BA BE BG BY CH CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM UA VA",
  NA: "BB BS BZ CA CR CU DM DO GD GL GT HN HT JM KN LC MX NI PA PR SV TT US VC",
  OC: "AU FJ FM KI MH NC NR NZ PF PG PW SB TO TV VU WS",
  SA: "AR BO BR CL CO EC GY PE PY SR UY VE",
  T1: "T1",
};

/** The countries that are certainly on each continent. */
export const COUNTRIES_ON: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(CONTINENTS).map(([continent, countries]) => [continent, countries.split(" ")]),
);

/** The members of the European Union. */
export const UNION: readonly string[] =
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");

/** Parts of member states with a country code of their own. */
export const UNION_OVERSEAS: readonly string[] = ["AX", "BL", "GF", "GP", "MF", "MQ", "RE", "YT"];

/** The continent of a country, if it is certain. */
export function continentOf(country: string): string | undefined {
  for (const [continent, countries] of COUNTRIES_ON) if (countries.includes(country)) return continent;
  return undefined;
}

/** A country that is on a continent, and in the European Union or not. */
export function countryWith(continent: string | undefined, isInUnion: boolean | undefined): string | undefined {
  const places = ["DE", "US", "JP", "CH", "BR", "ZA", "AU", "AQ", "T1"];
  return places.find(
    (country) =>
      (continent === undefined || continentOf(country) === continent) &&
      (isInUnion === undefined || UNION.includes(country) === isInUnion),
  );
}
