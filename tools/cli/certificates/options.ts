import type { Command } from "commander";
import type { CommandContext, ConnectOptions } from "../context.js";
import { addForbiddenOption, addZonesOptions } from "../options.js";
import type { ReportOptions } from "./command.js";

/** Adds `certificates report`. */
export function addCertificates(program: Command, { print, columns, progress, config, connect }: CommandContext): void {
  const certificates = program
    .command("certificates")
    .description("report how the chain change affects certificates; changes nothing");

  addForbiddenOption(
    addZonesOptions(certificates.command("report"), {
      0: "no action needed",
      2: "action needed",
      3: "a zone or a part of it could not be read",
    }),
  )
    .description("check every certificate against the rules and the timeline of the chain change")
    .option("--date <day>", "day to assess, such as 2024-09-30; default: today")
    .option(
      "--dns-server <address>",
      "IP address of the DNS server that looks up CAA records; default: the machine's own",
    )
    .action(async (options: ReportOptions & ConnectOptions) => {
      const { runCertificateReport } = await import("./command.js");
      const { caaLookups } = await import("./caa-lookups.js");
      const io = {
        print,
        columns,
        progress: progress(),
        resolveCaa: caaLookups(options, process.env, config(options, ".")),
      };
      process.exitCode = await runCertificateReport(options, () => connect(options), io);
    });
}
